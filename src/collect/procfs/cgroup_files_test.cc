// CgroupHierarchies and CgroupIoReader on a recorded root.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collect/procfs/cgroup_hierarchy.h"
#include "collect/procfs/cgroup_io_reader.h"
#include "os/real_recorded_root.h"

namespace gpuwhy {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kUnified = "30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
constexpr const char* kHybrid =
    "30 20 0:26 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
    "31 20 0:27 / /sys/fs/cgroup/blkio rw - cgroup cgroup rw,blkio\n"
    "32 20 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

class CgroupFiles : public testing::Test {
 protected:
  CgroupHierarchies Find() {
    const HostEdge edge = root_.Edge();
    return FindCgroupHierarchies(edge.Get().files);
  }
  Capture Look(const std::string& controllers, const std::string& path) {
    const HostEdge edge = root_.Edge();
    CgroupIoReader reader(edge.Get(), names_, FindCgroupHierarchies(edge.Get().files).io);
    CgroupLine line;
    line.controllers = controllers;
    line.path = path;
    reader.Add({line});
    Capture capture;
    reader.Look(capture);
    capture.names = names_.NamesFrom(0);
    return capture;
  }

  RecordedRoot root_;
  Interner names_;
};

TEST_F(CgroupFiles, OneHierarchyServesAllWhereVersionTwoIsAlone) {
  root_.Set("/proc/self/mountinfo", kUnified);
  const CgroupHierarchies found = Find();
  ASSERT_TRUE(found.cpu.has() && found.io.has() && found.unified.has());
  EXPECT_TRUE(found.io->unified);
  EXPECT_EQ(found.cpu->mount_point, "/sys/fs/cgroup");
  EXPECT_FALSE(found.accounting.has());
}

TEST_F(CgroupFiles, EachControllerOfVersionOneHasItsOwn) {
  root_.Set("/proc/self/mountinfo", kHybrid);
  const CgroupHierarchies found = Find();
  EXPECT_EQ(found.cpu->mount_point, "/sys/fs/cgroup/cpu,cpuacct");
  EXPECT_EQ(found.accounting->mount_point, "/sys/fs/cgroup/cpu,cpuacct");
  EXPECT_EQ(found.io->mount_point, "/sys/fs/cgroup/blkio");
  EXPECT_FALSE(found.io->unified);
  EXPECT_EQ(found.unified->mount_point, "/sys/fs/cgroup/unified");
}

TEST_F(CgroupFiles, WithoutMountsNothingIsKnown) {
  const CgroupHierarchies found = Find();
  EXPECT_EQ(found.cpu.missing().why, Why::kNotPresent);
  EXPECT_EQ(found.io.missing().why, Why::kNotPresent);
}

TEST_F(CgroupFiles, AContainerSeesItsOwnGroupAsTheTop) {
  const CgroupHierarchy inside{"/sys/fs/cgroup", "/pods/a", true};
  EXPECT_EQ(*inside.Folder("/pods/a"), "/sys/fs/cgroup");
  EXPECT_EQ(*inside.Folder("/pods/a/b"), "/sys/fs/cgroup/b");
  EXPECT_EQ(inside.Folder("/pods/c").missing().why, Why::kNotPresent);
  const CgroupHierarchy whole{"/sys/fs/cgroup", "/", true};
  EXPECT_EQ(*whole.Folder("/"), "/sys/fs/cgroup");
  EXPECT_EQ(whole.Folder("/../x").missing().why, Why::kNotPresent);
}

TEST_F(CgroupFiles, ANameThatOnlyStartsAlikeIsAnotherGroup) {
  const CgroupHierarchy inside{"/sys/fs/cgroup", "/pods/a", true};
  EXPECT_EQ(inside.Folder("/pods/ab").missing().why, Why::kNotPresent);
}

TEST_F(CgroupFiles, LimitsOfVersionTwoComeWithWhatWasReadOnTheSameDevice) {
  root_.Set("/proc/self/mountinfo", kUnified);
  root_.Set("/sys/fs/cgroup/pods/io.max", "8:0 rbps=max wbps=max riops=200 wiops=max\n");
  root_.Set("/sys/fs/cgroup/pods/io.stat",
            "8:0 rbytes=4096 wbytes=0 rios=7 wios=0\n8:16 rbytes=9 rios=9\n");
  const Capture capture = Look("", "/pods/a");
  ASSERT_THAT(capture.cgroup_io, SizeIs(1)) << "the group above it has the limit";
  const CgroupIoSample& sample = capture.cgroup_io[0];
  EXPECT_EQ(capture.Name(sample.path), "/pods");
  EXPECT_EQ(sample.device, (DeviceNumber{8, 0}));
  EXPECT_EQ(sample.read_ops_limit, Reading<std::uint64_t>(std::uint64_t{200}));
  EXPECT_EQ(sample.read_bytes_limit.missing().why, Why::kNotPresent);
  EXPECT_EQ(sample.reads, Reading<std::uint64_t>(std::uint64_t{7}));
  EXPECT_EQ(sample.read_bytes, Reading<std::uint64_t>(std::uint64_t{4096}));
}

TEST_F(CgroupFiles, LimitsOfVersionOneAreInTheirOwnHierarchy) {
  root_.Set("/proc/self/mountinfo", kHybrid);
  const std::string group = "/sys/fs/cgroup/blkio/job/blkio.throttle.";
  root_.Set(group + "read_iops_device", "254:0 100\n");
  root_.Set(group + "read_bps_device", "");
  root_.Set(group + "io_serviced", "254:0 Read 41\n254:0 Write 1\nTotal 42\n");
  root_.Set(group + "io_service_bytes", "254:0 Read 8192\nTotal 8192\n");
  const Capture capture = Look("blkio", "/job");
  ASSERT_THAT(capture.cgroup_io, SizeIs(1));
  EXPECT_EQ(capture.cgroup_io[0].read_ops_limit, Reading<std::uint64_t>(std::uint64_t{100}));
  EXPECT_EQ(capture.cgroup_io[0].reads, Reading<std::uint64_t>(std::uint64_t{41}));
  EXPECT_EQ(capture.cgroup_io[0].read_bytes, Reading<std::uint64_t>(std::uint64_t{8192}));
  EXPECT_THAT(Look("", "/job").cgroup_io, IsEmpty()) << "the path of another hierarchy";
}

TEST_F(CgroupFiles, ALimitWithoutCountersIsStillALimit) {
  root_.Set("/proc/self/mountinfo", kUnified);
  root_.Set("/sys/fs/cgroup/a/io.max", "8:0 riops=200\n");
  const Capture capture = Look("", "/a");
  ASSERT_THAT(capture.cgroup_io, SizeIs(1));
  EXPECT_FALSE(capture.cgroup_io[0].reads.has());
}

TEST_F(CgroupFiles, NoLimitNoSample) {
  root_.Set("/proc/self/mountinfo", kUnified);
  root_.Set("/sys/fs/cgroup/a/io.max", "");
  root_.Set("/sys/fs/cgroup/a/io.stat", "8:0 rbytes=1 rios=1\n");
  EXPECT_THAT(Look("", "/a").cgroup_io, IsEmpty());
  EXPECT_THAT(Look("", "/").cgroup_io, IsEmpty());
}

}  // namespace
}  // namespace gpuwhy
