#include "derive/cgroup_io.h"

#include <gtest/gtest.h>

#include "derive/derive.h"
#include "derive/test_capture.h"

namespace gpuwhy {
namespace {

constexpr DeviceNumber kDisk{8, 0}, kPartition{8, 1}, kOtherDisk{8, 16}, kNone{0, 44};
const Subject kData{SubjectKind::kMount, "/data"};
const Subject kLimit = ReadLimitSubject("/job", "sda");

/// Two loaders that wait for reads on /data in every look, 200 reads a second, under a limit of the
/// cgroup on sda. Each read takes await_ms in that disk.
class LimitedJob {
 public:
  explicit LimitedJob(double await_ms = 0.1) : builder(PipeJob(2)) {
    for (ProcessSeen& process : builder.capture.processes) {
      process.cgroups.push_back({kNoName, builder.Name("/job")});
    }
    builder.MountAt(0, 40, "/data", "ext4");
    Mounted().device = kPartition;
    builder.capture.block_layers.push_back({kPartition, kDisk, true});
    builder.Looks(10, 10, 200, WaitsForPipe(builder)).Used(10, 10, 0, 0, 500);
    for (int pid = 11; pid <= 12; ++pid) {
      const std::uint32_t detail = builder.OnFd(pid, 9, "/data/a", FdAccess::kRead, 40);
      builder.Looks(pid, pid, 200, Blocked(Syscall::kPread, "folio_wait_bit_common", detail, 'D'));
      builder.Used(pid, pid, 0.2, 0, 900);
    }
    builder.Disk(kDisk, "sda", 2000, await_ms).Disk(kOtherDisk, "sdb", 10, 1);
    builder.ReadLimit("/job", kDisk, 200, 2000);
  }

  Mount& Mounted() { return builder.capture.mounts.back(); }
  [[nodiscard]] FactSet Facts() const { return Derive(builder.capture); }

  CaptureBuilder builder;
};

double Number(const FactSet& facts, FactId id, const Subject& subject) {
  const Reading<double> value = facts.Number(id, subject);
  EXPECT_TRUE(value.has()) << Id(id) << " of " << subject.Text() << ": "
                           << (value ? "" : value.missing().detail);
  return value.ValueOr(-1);
}

std::string Text(const FactSet& facts, FactId id, const Subject& subject) {
  const Fact* fact = facts.Find(id, subject);
  return fact != nullptr && fact->value ? std::get<std::string>(*fact->value) : "";
}

TEST(CgroupIo, TheLimitsOfAGroupAreToldApartByTheirDevice) {
  LimitedJob job;
  job.builder.ReadLimit("/job", kOtherDisk, 1000, 10).ReadLimit("/other", kDisk, 10, 100);
  const FactSet facts = job.Facts();
  EXPECT_EQ(Number(facts, FactId::kCgroupReadOpsLimit, kLimit), 200);
  EXPECT_NEAR(Number(facts, FactId::kCgroupReadOps, kLimit), 200, 1e-9);
  EXPECT_NEAR(Number(facts, FactId::kCgroupReadUsed, kLimit), 1, 1e-9);
  EXPECT_NEAR(Number(facts, FactId::kCgroupReadUsed, ReadLimitSubject("/job", "sdb")), 0.001, 1e-9);
  EXPECT_EQ(facts.Find(FactId::kCgroupReadUsed, ReadLimitSubject("/other", "sda")), nullptr)
      << "the job is not in it";
}

TEST(CgroupIo, TheFullerOfTwoLimitsCounts) {
  LimitedJob job;
  for (CgroupIoSample& sample : job.builder.capture.cgroup_io) {
    sample.read_bytes_limit = std::uint64_t{1000};
    sample.read_bytes = std::uint64_t{0};
  }
  job.builder.capture.cgroup_io.back().read_bytes = std::uint64_t{5000};
  const FactSet facts = job.Facts();
  EXPECT_NEAR(Number(facts, FactId::kCgroupReadRate, kLimit), 500, 1e-9);
  EXPECT_NEAR(Number(facts, FactId::kCgroupReadUsed, kLimit), 1, 1e-9);
}

TEST(CgroupIo, AMountOnAPartitionIsUnderTheLimitOfItsDisk) {
  const FactSet facts = LimitedJob().Facts();
  EXPECT_NEAR(Number(facts, FactId::kMountLimitUsed, kData), 1, 1e-9);
  EXPECT_EQ(Text(facts, FactId::kMountLimitCgroup, kData), "/job");
  EXPECT_EQ(Text(facts, FactId::kMountLimitDevice, kData), "sda");
}

TEST(CgroupIo, AMountOnAnotherDiskIsNotUnderTheLimit) {
  LimitedJob job;
  job.Mounted().device = kOtherDisk;
  const FactSet facts = job.Facts();
  const Reading<double> used = facts.Number(FactId::kMountLimitUsed, kData);
  ASSERT_FALSE(used.has());
  EXPECT_EQ(used.missing().why, Why::kNotPresent);
  EXPECT_EQ(facts.Find(FactId::kGainReadLimit, kLimit), nullptr);
}

TEST(CgroupIo, NetworkAndMemoryHaveNoDiskThatCouldBeLimited) {
  LimitedJob job;
  job.Mounted().device = kNone;
  job.Mounted().fs_type = job.builder.Name("nfs4");
  EXPECT_EQ(job.Facts().Number(FactId::kMountLimitUsed, kData).missing().why, Why::kNotPresent);
}

TEST(CgroupIo, AMountWithoutADeviceOfItsOwnIsSaidToBeUnknown) {
  LimitedJob job;
  job.Mounted().device = kNone;
  job.Mounted().fs_type = job.builder.Name("overlay");
  const Reading<double> used = job.Facts().Number(FactId::kMountLimitUsed, kData);
  ASSERT_FALSE(used.has());
  EXPECT_EQ(used.missing().why, Why::kNotSupported);
  EXPECT_NE(used.missing().detail.find("/data (overlay)"), std::string::npos);
  EXPECT_NE(used.missing().detail.find("0:44"), std::string::npos);
}

TEST(CgroupIo, ABtrfsMountIsMatchedByTheDeviceThatItsSourceNames) {
  LimitedJob job;
  job.Mounted().device = kNone;
  job.Mounted().fs_type = job.builder.Name("btrfs");
  job.Mounted().source = job.builder.Name("/dev/sda");
  EXPECT_NEAR(Number(job.Facts(), FactId::kMountLimitUsed, kData), 1, 1e-9);
  job.Mounted().source = job.builder.Name("/dev/sdb");
  EXPECT_EQ(job.Facts().Number(FactId::kMountLimitUsed, kData).missing().why, Why::kNotSupported)
      << "it may have other devices";
}

TEST(CgroupIo, ALayerThatCouldNotBeReadLeavesTheMountUnknown) {
  LimitedJob job;
  job.builder.capture.block_layers[0].known = Missing{Why::kNoPermission, "/sys/dev/block/8:1"};
  EXPECT_EQ(job.Facts().Number(FactId::kMountLimitUsed, kData).missing().why, Why::kNoPermission);
  // What was not recorded at all (an older recording) is a whole disk.
  job.builder.capture.block_layers.clear();
  EXPECT_EQ(job.Facts().Number(FactId::kMountLimitUsed, kData).missing().why, Why::kNotPresent);
}

TEST(CgroupIo, LayersInACircleEnd) {
  LimitedJob job;
  job.builder.capture.block_layers.push_back({kDisk, kPartition, true});
  EXPECT_NEAR(Number(job.Facts(), FactId::kMountLimitUsed, kData), 1, 1e-9);
}

TEST(CgroupIo, WithoutALimitMountsHaveNoSuchFact) {
  LimitedJob job;
  job.builder.capture.cgroup_io.clear();
  EXPECT_EQ(job.Facts().Find(FactId::kMountLimitUsed, kData), nullptr);
}

TEST(CgroupIo, RaisingTheLimitOfAFastDiskGivesBackTheWait) {
  const FactSet facts = LimitedJob(0.1).Facts();
  const Fact* gain = facts.Find(FactId::kGainReadLimit, kLimit);
  ASSERT_NE(gain, nullptr);
  // 200 reads of 0.1 ms keep 0.02 of two loaders: 1 %.
  EXPECT_NEAR(gain->Number(), 0.97, 0.02);
  EXPECT_GT(gain->interval.low, 0.9);
}

TEST(CgroupIo, WhatTheDiskItselfTakesIsNotGivenBack) {
  // 200 reads of 8 ms keep 1.6 of two loaders waiting whatever the limit is.
  const FactSet facts = LimitedJob(8).Facts();
  const Fact* gain = facts.Find(FactId::kGainReadLimit, kLimit);
  ASSERT_NE(gain, nullptr);
  EXPECT_NEAR(gain->Number(), 0.2, 0.02);
  EXPECT_LE(gain->interval.low, 0.2);
  EXPECT_GT(gain->interval.high, 0.9) << "the mean is of all that the disk serves";
  EXPECT_GT(Number(facts, FactId::kGainStorage, {SubjectKind::kJob, "10"}), 0.9);
}

TEST(CgroupIo, WithoutTheDisksOwnTimeNoGainIsCertain) {
  LimitedJob job;
  job.builder.capture.block.clear();
  const FactSet facts = job.Facts();
  const Fact* gain = facts.Find(FactId::kGainReadLimit, ReadLimitSubject("/job", "8:0"));
  ASSERT_NE(gain, nullptr);
  EXPECT_EQ(gain->interval.low, 0);
  EXPECT_GT(gain->interval.high, 0.9);
}

}  // namespace
}  // namespace gpuwhy
