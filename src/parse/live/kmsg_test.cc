#include "parse/live/kmsg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Kmsg, RecordsInTheirOrder) {
  const std::vector<KmsgRecord> records = ParseKmsg(
      "4,812,5140900,-;NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.\n"
      "6,813,6000000,-,caller=T1;usb 1-1: new device\n");
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].sequence, 812U);
  EXPECT_EQ(records[0].microseconds, 5'140'900U);
  EXPECT_EQ(records[0].text, "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.");
  EXPECT_EQ(AsPrinted(records[0]), "[    5.140900] " + records[0].text);
}

TEST(Kmsg, PropertiesOfARecordAreNoRecords) {
  EXPECT_EQ(ParseKmsg("3,1,2,-;text; with more\n SUBSYSTEM=pci;x\n DEVICE=+pci:0000:3b:00.0\n"),
            (std::vector<KmsgRecord>{{1, 2, "text; with more"}}));
}

TEST(Kmsg, WhatIsNoRecordIsLeftOut) {
  EXPECT_THAT(ParseKmsg("no head;x\n1,2;x\n-1,2,3,-;x\n1,2,99999999999999999,-;later than time\n"
                        "1,2,3,-;cut"),
              IsEmpty());
}

TEST(Kmsg, LongTextsAreCut) {
  const std::string text(5000, 'x');
  EXPECT_EQ(ParseKmsg("1,2,3,-;" + text + "\n").at(0).text.size(), 1000U);
}

TEST(Kmsg, OnlyWhatMayTellOfFaultsIsKept) {
  EXPECT_TRUE(MayTellOfFaults("NVRM: Xid (PCI:0000:3b:00): 48"));
  EXPECT_TRUE(MayTellOfFaults("INFO: task python3:4242 blocked for more than 120 seconds."));
  EXPECT_FALSE(MayTellOfFaults("Command line: root=/dev/sda1 token=secret"));
}

}  // namespace
}  // namespace gpuwhy
