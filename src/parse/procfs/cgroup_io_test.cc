#include "parse/procfs/cgroup_io.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

TEST(ParseIoMax, MaxIsNoLimitAndCountersFollowTheirDevice) {
  CgroupIoByDevice devices;
  ParseIoMax("8:16 rbps=2097152 wbps=max riops=max wiops=120\n", devices);
  ParseIoStat("8:16 rbytes=4096 wbytes=0 rios=7 wios=0 dbytes=0 dios=0\n8:0 rbytes=1 rios=1\n",
              devices);
  ASSERT_EQ(devices.size(), 1U) << "a device without a limit is of no interest";
  const CgroupIoLine& line = devices.at({8, 16});
  EXPECT_EQ(line.read_bytes_limit, Reading<std::uint64_t>(2097152));
  EXPECT_EQ(line.read_ops_limit.missing().why, Why::kNotPresent);
  EXPECT_EQ(line.reads, Reading<std::uint64_t>(7));
  EXPECT_EQ(line.read_bytes, Reading<std::uint64_t>(4096));
}

TEST(ParseBlkio, ReadsTheFilesOfVersionOne) {
  CgroupIoByDevice devices;
  ParseBlkio(BlkioFile::kReadOpsLimit, "254:0 100\n", devices);
  ParseBlkio(BlkioFile::kServiced, "254:0 Read 42\n254:0 Write 1\n254:0 Total 43\nTotal 43\n",
             devices);
  ParseBlkio(BlkioFile::kServiceBytes, "254:0 Read 8192\n", devices);
  const CgroupIoLine& line = devices.at({254, 0});
  EXPECT_EQ(line.read_ops_limit, Reading<std::uint64_t>(100));
  EXPECT_FALSE(line.read_bytes_limit.has());
  EXPECT_EQ(line.reads, Reading<std::uint64_t>(42));
  EXPECT_EQ(line.read_bytes, Reading<std::uint64_t>(8192));
}

TEST(ParseBlkio, WhatIsNoNumberIsNoZero) {
  CgroupIoByDevice devices;
  ParseBlkio(BlkioFile::kReadOpsLimit, "254:0 many\nnonsense\n254 1\n:1 1\n", devices);
  ASSERT_EQ(devices.size(), 1U);
  EXPECT_EQ(devices.begin()->second.read_ops_limit.missing().why, Why::kFailed);
}

}  // namespace
}  // namespace gpuwhy
