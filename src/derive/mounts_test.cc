#include "derive/mounts.h"

#include <gtest/gtest.h>

#include "derive/test_capture.h"

namespace gpuwhy {
namespace {

TEST(MountTable, TheLongestMountPointAboveAPathWins) {
  CaptureBuilder builder(10);
  builder.MountAt(10, 1, "/", "ext4").MountAt(10, 2, "/data", "nfs4");
  builder.MountAt(10, 3, "/data/fast", "xfs");
  const std::uint32_t slow = builder.OnPath(10, "/data/slow/a");
  const std::uint32_t fast = builder.OnPath(10, "/data/fast/a");
  const std::uint32_t near = builder.OnPath(10, "/database");
  const std::uint32_t bare = builder.OnPath(10, "relative");
  const MountTable mounts(builder.capture);
  const std::vector<WaitDetail>& details = builder.capture.details;
  EXPECT_EQ(mounts.Find(10, details[slow])->mount_id, 2);
  EXPECT_EQ(mounts.Find(10, details[fast])->mount_id, 3);
  EXPECT_EQ(mounts.Find(10, details[near])->mount_id, 1);
  EXPECT_EQ(mounts.Find(10, details[bare]), nullptr);
}

TEST(MountTable, ALaterMountHidesAnEarlierOneAtTheSamePlace) {
  CaptureBuilder builder(10);
  builder.MountAt(0, 1, "/data", "ext4").MountAt(0, 2, "/data", "nfs4");
  const std::uint32_t path = builder.OnPath(10, "/data/x");
  const MountTable mounts(builder.capture);
  EXPECT_EQ(mounts.Find(10, builder.capture.details[path])->mount_id, 2);
}

TEST(MountTable, AProcessWithItsOwnNamespaceIsReadInIt) {
  CaptureBuilder builder(10);
  builder.MountAt(0, 1, "/", "ext4").MountAt(11, 7, "/", "overlay");
  const std::uint32_t path = builder.OnPath(11, "/x");
  const MountTable mounts(builder.capture);
  EXPECT_EQ(mounts.Find(11, builder.capture.details[path])->mount_id, 7);
  EXPECT_EQ(mounts.Find(12, builder.capture.details[path])->mount_id, 1);
}

}  // namespace
}  // namespace gpuwhy
