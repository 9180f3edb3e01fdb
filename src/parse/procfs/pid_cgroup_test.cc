#include "parse/procfs/pid_cgroup.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

TEST(PidCgroup, BothVersionsAreRead) {
  const std::vector<CgroupLine> lines =
      ParsePidCgroup("9:name=systemd:/a:b\n3:cpu,cpuacct:/job\nbroken\n4:cpuset:relative\n0::/u\n");
  EXPECT_EQ(lines, (std::vector<CgroupLine>{
                       {"name=systemd", "/a:b"}, {"cpu,cpuacct", "/job"}, {"", "/u"}}));
  EXPECT_TRUE(lines[1].Has("cpu"));
  EXPECT_TRUE(lines[1].Has("cpuacct"));
  EXPECT_FALSE(lines[1].Has("cpuset"));
  EXPECT_FALSE(lines[2].Has("cpu"));
}

TEST(CgroupCpuStat, Version1CountsNanoseconds) {
  const CgroupCpuStat stat =
      ParseCgroupCpuStat("nr_periods 20\nnr_throttled 19\nthrottled_time 2820000000\n");
  EXPECT_EQ(stat.periods.ValueOr(0), 20U);
  EXPECT_EQ(stat.throttled_periods.ValueOr(0), 19U);
  EXPECT_EQ(stat.throttled_us.ValueOr(0), 2'820'000U);
  EXPECT_EQ(stat.usage_us.missing().why, Why::kNotPresent);
}

TEST(CgroupCpuStat, Version2CountsMicroseconds) {
  const CgroupCpuStat stat = ParseCgroupCpuStat(
      "usage_usec 123\nuser_usec 100\nsystem_usec 23\nnr_periods 4\nnr_throttled 2\n"
      "throttled_usec 99\n");
  EXPECT_EQ(stat.usage_us.ValueOr(0), 123U);
  EXPECT_EQ(stat.throttled_us.ValueOr(0), 99U);
  EXPECT_FALSE(ParseCgroupCpuStat("usage_usec x\n").usage_us);
}

TEST(CpuQuota, NoQuotaIsMissingAndNotZero) {
  EXPECT_EQ(ParseCpuMax("max 100000\n").quota_us.missing().why, Why::kNotPresent);
  EXPECT_EQ(ParseCpuMax("max 100000\n").period_us.ValueOr(0), 100'000U);
  EXPECT_EQ(ParseCpuMax("20000 100000\n").quota_us.ValueOr(0), 20'000U);
  EXPECT_EQ(ParseCpuMax("").quota_us.missing().why, Why::kFailed);
  EXPECT_EQ(ParseCfsQuota("-1\n", "100000\n").quota_us.missing().why, Why::kNotPresent);
  EXPECT_EQ(ParseCfsQuota("25000\n", "100000\n").quota_us.ValueOr(0), 25'000U);
  EXPECT_EQ(ParseCfsQuota("25000\n", "100000\n").period_us.ValueOr(0), 100'000U);
}

}  // namespace
}  // namespace gpuwhy
