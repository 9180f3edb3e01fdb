#include "parse/procfs/pid_fd.h"

#include <gtest/gtest.h>

#include <string>

namespace gpuwhy {
namespace {

TEST(FdInfo, FlagsAreOctal) {
  EXPECT_EQ(ParseFdInfo("pos:\t0\nflags:\t0100000\nmnt_id:\t24\nino:\t3\n").access,
            FdAccess::kRead);
  EXPECT_EQ(ParseFdInfo("flags:\t02001\n").access, FdAccess::kWrite);
  EXPECT_EQ(ParseFdInfo("flags:\t02000002\n").access, FdAccess::kBoth);
  EXPECT_EQ(ParseFdInfo("flags:\t8\n").access, FdAccess::kUnknown);
}

TEST(FdInfo, MountAndInodeAreTaken) {
  const FdInfo info = ParseFdInfo("pos:\t0\nflags:\t0100000\nmnt_id:\t24\nino:\t3\n");
  EXPECT_EQ(info.mount_id, 24);
  EXPECT_EQ(info.inode, 3U);
  EXPECT_EQ(info.eventfd_id, -1);
  EXPECT_FALSE(info.eventfd_count);
}

TEST(FdInfo, AnEventfdHasAnIdentityOfItsOwn) {
  const FdInfo info = ParseFdInfo("flags:\t02\neventfd-count:               1f\neventfd-id: 12\n");
  EXPECT_EQ(info.eventfd_id, 12);
  EXPECT_EQ(info.eventfd_count.ValueOr(0), 0x1fU);
}

TEST(FdInfo, AnEpollNamesWhatItWatches) {
  const FdInfo info = ParseFdInfo(
      "pos:\t0\nflags:\t02\n"
      "tfd:        5 events:       19 data:                5  pos:0 ino:1f sdev:8\n"
      "tfd:        7 events:       19 data:                7  pos:0 ino:20 sdev:8\n");
  EXPECT_EQ(info.epoll_targets, (std::vector<std::int32_t>{5, 7}));
}

TEST(FdInfo, AHostileEpollIsCutOff) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "tfd: " + std::to_string(i) + " events: 1\n";
  EXPECT_EQ(ParseFdInfo(text).epoll_targets.size(), 4096U);
}

TEST(FdLink, KindsAreToldByText) {
  EXPECT_EQ(ParseFdLink("pipe:[77]").kind, FdLinkKind::kPipe);
  EXPECT_EQ(ParseFdLink("pipe:[77]").inode, 77U);
  EXPECT_EQ(ParseFdLink("socket:[78]").kind, FdLinkKind::kSocket);
  EXPECT_EQ(ParseFdLink("socket:[78]").inode, 78U);
  EXPECT_EQ(ParseFdLink("anon_inode:[eventfd]").kind, FdLinkKind::kAnonymous);
  EXPECT_EQ(ParseFdLink("/data/pipe:[77]").kind, FdLinkKind::kFile);
  EXPECT_EQ(ParseFdLink("net:[4026531840]").kind, FdLinkKind::kOther);
  EXPECT_EQ(ParseFdLink("pipe:[x]").kind, FdLinkKind::kOther);
  EXPECT_EQ(ParseFdLink("").kind, FdLinkKind::kOther);
}

}  // namespace
}  // namespace gpuwhy
