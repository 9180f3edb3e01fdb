#include <gtest/gtest.h>

#include "os/kernel_log.h"

namespace gpuwhy {
namespace {

TEST(RealKernelLog, GivesEachRecordOnceAndNeverWaits) {
  const std::unique_ptr<KernelLog> log = MakeRealKernelLog();
  const Result<std::string> first = log->ReadNew(std::size_t{64} << 20U);
  if (!first) GTEST_SKIP() << "this user may not read it: " << first.error().Text();
  const Result<std::string> second = log->ReadNew(std::size_t{64} << 20U);
  ASSERT_TRUE(second.ok());
  if (first->empty()) GTEST_SKIP() << "the log of this machine is empty";
  const std::string line = first->substr(0, first->find('\n') + 1);
  EXPECT_EQ(second->find(line), std::string::npos);
}

TEST(RealKernelLog, TheOldestRecordsGiveWay) {
  const Result<std::string> all = MakeRealKernelLog()->ReadNew(std::size_t{64} << 20U);
  if (!all) GTEST_SKIP() << "this user may not read it: " << all.error().Text();
  if (all->size() < 4096) GTEST_SKIP() << "the log of this machine is short";
  const Result<std::string> part = MakeRealKernelLog()->ReadNew(2048);
  ASSERT_TRUE(part.ok());
  EXPECT_LE(part->size(), 2048U);
  EXPECT_FALSE(part->empty());
}

}  // namespace
}  // namespace gpuwhy
