#include "parse/procfs/pid_maps.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

TEST(PidMaps, OnlySharedMappingsAreKept) {
  const PidMaps maps = ParsePidMaps(
      "558653dd1000-558653e00000 r--p 00000000 fe:00 247101                     /usr/bin/bash\n"
      "7f0000000000-7f0000001000 rw-s 00002000 00:01 1025        /dev/zero (deleted)\n"
      "7f0000002000-7f0000003000 rw-s 00000000 00:1a 7           /dev/shm/sem.a b (deleted)\n"
      "7ffe2f82f000-7ffe2f850000 rw-p 00000000 00:00 0                          [stack]\n");
  ASSERT_EQ(maps.shared.size(), 2U);
  EXPECT_EQ(maps.shared[0].start, 0x7f0000000000U);
  EXPECT_EQ(maps.shared[0].end, 0x7f0000001000U);
  EXPECT_EQ(maps.shared[0].offset, 0x2000U);
  EXPECT_EQ(maps.shared[0].device, (DeviceNumber{0, 1}));
  EXPECT_EQ(maps.shared[0].inode, 1025U);
  EXPECT_EQ(maps.shared[0].path, "/dev/zero (deleted)");
  EXPECT_EQ(maps.shared[1].device, (DeviceNumber{0, 0x1a}));
  EXPECT_EQ(maps.shared[1].path, "/dev/shm/sem.a b (deleted)");
  EXPECT_FALSE(maps.cuda);
}

TEST(PidMaps, TheDriverLibraryIsNotTheRuntimeLibrary) {
  const std::string line = "7f0000000000-7f0000001000 r-xp 00000000 fe:00 9   /usr/lib/";
  EXPECT_TRUE(ParsePidMaps(line + "libcuda.so.550.54.15\n").cuda);
  EXPECT_FALSE(ParsePidMaps(line + "libcudart.so.12\n").cuda);
}

TEST(PidMaps, AFrameworkIsToldByItsLibraries) {
  const std::string line = "7f0000000000-7f0000001000 r-xp 00000000 fe:00 9   /usr/lib/";
  for (const char* library : {"libtorch_cpu.so", "libtensorflow_framework.so.2", "libcudart.so.12",
                              "python3/jaxlib/xla_extension.so"}) {
    EXPECT_TRUE(ParsePidMaps(line + library + "\n").framework) << library;
  }
  EXPECT_FALSE(ParsePidMaps(line + "libcuda.so.1\n").framework);
  EXPECT_FALSE(ParsePidMaps(line + "libtorrent.so.2\n").framework);
}

TEST(PidMaps, BrokenLinesAreLeftOut) {
  EXPECT_TRUE(ParsePidMaps("7f00-7f01 rw-s\n").shared.empty());
  EXPECT_TRUE(ParsePidMaps("7f01-7f00 rw-s 0 00:01 5 /x\n").shared.empty()) << "ends before start";
  EXPECT_TRUE(ParsePidMaps("zz-7f00 rw-s 0 00:01 5 /x\n").shared.empty());
}

}  // namespace
}  // namespace gpuwhy
