#include "parse/procfs/net_sockets.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

constexpr std::string_view kRest = " 00000000:00000000 00:00000000 00000000     0        0 ";

TEST(NetSockets, BothEndsOfALoopbackConnectionMirrorEachOther) {
  const std::vector<NetSocket> rows = ParseNetSockets(
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n"
      "   0: 0100007F:07E8 00000000:0000 0A" +
      std::string(kRest) +
      "1603 1 0000 100 0 0 10 0\n"
      "   1: 0100007F:07E8 0100007F:9C40 01" +
      std::string(kRest) +
      "1700 1 0000 20 4 30 10 -1\n"
      "   2: 0100007F:9C40 0100007F:07E8 01" +
      std::string(kRest) +
      "1701 1 0000 20 4 30 10 -1\n"
      "   3: 0100007F:9C41 0100007F:07E8 06" +
      std::string(kRest) + "0 1 0000\n");
  ASSERT_EQ(rows.size(), 3U) << "time-wait has no inode";
  EXPECT_EQ(rows[0].state, kTcpListen);
  EXPECT_TRUE(rows[0].remote.IsAny());
  EXPECT_EQ(rows[1].local, rows[2].remote);
  EXPECT_EQ(rows[1].remote, rows[2].local);
  EXPECT_EQ(rows[2].inode, 1701U);
  EXPECT_EQ(SocketEndText(rows[1].remote), "127.0.0.1:40000");
}

TEST(NetSockets, AMappedAddressIsTheIpv4One) {
  const std::vector<NetSocket> rows = ParseNetSockets(
      "   0: 0000000000000000FFFF00000100007F:07E8 0000000000000000FFFF00000100007F:9C40 01" +
      std::string(kRest) + "9 1 0000\n");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].local.address, "0100007F");
}

TEST(NetSockets, Ipv6IsWrittenShort) {
  EXPECT_EQ(SocketEndText({"00000000000000000000000001000000", 80}), "[::1]:80");
  EXPECT_EQ(SocketEndText({"B80D0120000000000000000001000000", 1}), "[2001:db8::1]:1");
  EXPECT_EQ(SocketEndText({"00000000000000000000000000000000", 0}), "[::]:0");
  EXPECT_EQ(SocketEndText({"B80D0120010002000300040005000600", 7}), "[2001:db8:2:1:4:3:6:5]:7");
  EXPECT_EQ(SocketEndText({"00", 7}), "");
}

TEST(NetSockets, BrokenRowsAreLeftOut) {
  EXPECT_TRUE(ParseNetSockets("   0: 0100007F:07E8 0100007F:9C40 01\n").empty());
  EXPECT_TRUE(ParseNetSockets("   0: ZZ00007F:07E8 0100007F:9C40 01" + std::string(kRest) + "9 1\n")
                  .empty());
  EXPECT_TRUE(ParseNetSockets("   0: 0100007F:FFFFF 0100007F:9C40 01" + std::string(kRest) + "9\n")
                  .empty());
}

}  // namespace
}  // namespace gpuwhy
