#include "os/rights.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "os/fake_file_tree.h"

namespace gpuwhy {
namespace {

TEST(Rights, OfAnOrdinaryUserUnderYama) {
  FakeFileTree files;
  files.Set("/proc/self/status",
            "Name:\tgpuwhy\nUid:\t0\t1000\t1000\t1000\nCapPrm:\t000001ffffffffff\n"
            "CapEff:\t0000000000000000\n");
  files.Set("/proc/sys/kernel/yama/ptrace_scope", "1\n");
  const Rights rights = ReadRights(files);
  EXPECT_EQ(rights.uid, Reading<std::uint32_t>(1000U)) << "the effective one";
  EXPECT_EQ(rights.ptrace, Reading<bool>(false));
  EXPECT_EQ(rights.ptrace_scope, Reading<std::uint32_t>(1U));
}

TEST(Rights, KnowTheOneCapabilityAmongOthers) {
  FakeFileTree files;
  files.Set("/proc/self/status", "Uid:\t0\t0\t0\t0\nCapEff:\t0000000000080000\n");
  EXPECT_EQ(ReadRights(files).ptrace, Reading<bool>(true));
  files.Set("/proc/self/status", "Uid:\t0\t0\t0\t0\nCapEff:\t000001fffff7ffff\n");
  EXPECT_EQ(ReadRights(files).ptrace, Reading<bool>(false));
  EXPECT_EQ(ReadRights(files).ptrace_scope.missing().why, Why::kNotPresent) << "no Yama";
}

TEST(Rights, ThatCannotBeReadAreUnknown) {
  FakeFileTree files;
  files.Fail("/proc/self/status", EACCES);
  files.Set("/proc/sys/kernel/yama/ptrace_scope", "x");
  Rights rights = ReadRights(files);
  EXPECT_EQ(rights.uid.missing().why, Why::kNoPermission);
  EXPECT_EQ(rights.ptrace.missing().why, Why::kNoPermission);
  EXPECT_EQ(rights.ptrace_scope.missing().why, Why::kFailed);
  files.Set("/proc/self/status", "Uid:\t7\nCapEff:\n");
  rights = ReadRights(files);
  EXPECT_EQ(rights.uid.missing().why, Why::kFailed);
  EXPECT_EQ(rights.ptrace.missing().why, Why::kFailed);
}

}  // namespace
}  // namespace gpuwhy
