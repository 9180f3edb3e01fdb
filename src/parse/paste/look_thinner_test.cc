#include "parse/paste/look_thinner.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gpuwhy {
namespace {

void AddLooks(std::vector<GpuLook>& looks, int rounds, int gpus, std::uint32_t& line) {
  for (int round = 0; round < rounds; ++round) {
    for (int gpu = 0; gpu < gpus; ++gpu) {
      GpuLook& look = looks.emplace_back();
      look.reader = "csv";
      look.index = gpu;
      look.line = ++line;
    }
  }
}

std::ptrdiff_t Of(const std::vector<GpuLook>& looks, std::int32_t gpu) {
  return std::count_if(looks.begin(), looks.end(),
                       [&](const GpuLook& look) { return look.index == gpu; });
}

TEST(LookThinner, AShortSeriesStaysWhole) {
  std::vector<GpuLook> looks;
  std::uint32_t line = 0;
  LookThinner thinner(0, 40);
  AddLooks(looks, 10, 4, line);
  thinner.Thin(looks);
  EXPECT_EQ(looks.size(), 40U);
  EXPECT_EQ(thinner.Stride(), 1U);
}

TEST(LookThinner, ALongOneKeepsEachGpuOverTheWholeTime) {
  std::vector<GpuLook> looks;
  std::uint32_t line = 0;
  LookThinner thinner(0, 40);
  for (int piece = 0; piece < 10; ++piece) {
    AddLooks(looks, 8, 4, line);
    thinner.Thin(looks);
    EXPECT_LE(looks.size(), 40U);
  }
  EXPECT_EQ(thinner.Stride(), 8U);
  for (int gpu = 0; gpu < 4; ++gpu) EXPECT_EQ(Of(looks, gpu), 10);
  // The distance between two looks at a GPU is the same everywhere: 8 rounds of 4 lines.
  for (std::size_t i = 4; i < looks.size(); ++i)
    EXPECT_EQ(looks[i].line - looks[i - 4].line, 32U) << i;
}

TEST(LookThinner, LooksOfOtherTextsAreLeftAlone) {
  std::vector<GpuLook> looks;
  std::uint32_t line = 0;
  AddLooks(looks, 30, 1, line);
  LookThinner thinner(looks.size(), 10);
  AddLooks(looks, 100, 1, line);
  thinner.Thin(looks);
  EXPECT_LE(looks.size(), 40U);
  EXPECT_EQ(looks[29].line, 30U);
}

TEST(LookThinner, EvenAsManyGpusAsLooksAreBounded) {
  std::vector<GpuLook> looks;
  std::uint32_t line = 0;
  LookThinner thinner(0, 10);
  AddLooks(looks, 1, 100, line);
  thinner.Thin(looks);
  EXPECT_EQ(looks.size(), 10U);
}

}  // namespace
}  // namespace gpuwhy
