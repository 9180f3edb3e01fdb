#include "cli/live.h"

#include <gtest/gtest.h>

#include "cli/answer.h"

namespace gpuwhy {
namespace {

JobFacts Job(std::int32_t pid, double score) {
  JobFacts job;
  job.root_pid = pid;
  job.score = score;
  return job;
}

TEST(ChooseFocus, TakesTheOnlyJobIfItWaitsEnough) {
  EXPECT_EQ(ChooseFocus({Job(1, 0.2)}), 1);
  EXPECT_EQ(ChooseFocus({Job(1, 0.19)}), 0);
  EXPECT_EQ(ChooseFocus({}), 0);
}

TEST(ChooseFocus, TakesTheBestOnlyIfItIsTwiceTheSecond) {
  EXPECT_EQ(ChooseFocus({Job(1, 0.8), Job(2, 0.4)}), 1);
  EXPECT_EQ(ChooseFocus({Job(1, 0.8), Job(2, 0.41)}), 0);
}

TEST(UtcText, IsRfc3339) {
  EXPECT_EQ(UtcText(std::chrono::seconds(1767323045)), "2026-01-02T03:04:05Z");
  EXPECT_EQ(UtcText(Nanos{0}), "");
}

}  // namespace
}  // namespace gpuwhy
