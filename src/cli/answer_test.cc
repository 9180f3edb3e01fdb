#include "cli/answer.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

TEST(UtcText, IsRfc3339) {
  EXPECT_EQ(UtcText(std::chrono::seconds(1767323045)), "2026-01-02T03:04:05Z");
  EXPECT_EQ(UtcText(Nanos{0}), "");
}

}  // namespace
}  // namespace gpuwhy
