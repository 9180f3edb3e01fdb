#include "os/real_process_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <string>

namespace gpuwhy {
namespace {

TEST(RealProcessMemory, ReadsUpToTheEndOfAMapping) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* const pages =
      ::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(::munmap(static_cast<char*>(pages) + page, page), 0);
  const std::string text = "last bytes";
  char* const start = static_cast<char*>(pages) + page - text.size();
  std::copy(text.begin(), text.end(), start);
  RealProcessMemory memory;
  std::array<char, 64> buffer{};
  const Result<std::size_t> got =
      memory.Read(::getpid(), std::bit_cast<std::uint64_t>(start), buffer);
  if (!got && got.error().sys_errno == EPERM) GTEST_SKIP() << got.error().Text();
  ASSERT_TRUE(got.ok()) << got.error().Text();
  EXPECT_EQ(std::string_view(buffer.data(), *got), text);
  ::munmap(pages, page);
}

TEST(RealProcessMemory, ReadsMoreThanOneCallTakes) {
  const std::string text(1'000'000, 'x');
  std::string copy(text.size(), '\0');
  RealProcessMemory memory;
  const Result<std::size_t> got =
      memory.Read(::getpid(), std::bit_cast<std::uint64_t>(text.data()), copy);
  if (!got && got.error().sys_errno == EPERM) GTEST_SKIP() << got.error().Text();
  EXPECT_EQ(*got, text.size());
  EXPECT_EQ(copy, text);
}

TEST(RealProcessMemory, SaysWhyNothingCame) {
  RealProcessMemory memory;
  std::array<char, 8> buffer{};
  EXPECT_EQ(memory.Read(0, 4096, buffer).error().sys_errno, ESRCH);
  const Result<std::size_t> got = memory.Read(::getpid(), 1, buffer);
  if (!got && got.error().sys_errno == EPERM) GTEST_SKIP() << got.error().Text();
  EXPECT_EQ(got.error().sys_errno, EFAULT);
  EXPECT_FALSE(memory.Read(::getpid(), ~std::uint64_t{0}, buffer).ok());
}

}  // namespace
}  // namespace gpuwhy
