#include "trace/intervals.h"

#include <gtest/gtest.h>

#include <bitset>
#include <random>

namespace gpuwhy::trace {
namespace {

constexpr std::size_t kRoom = 256;
using Bits = std::bitset<kRoom>;

Bits BitsOf(const std::vector<Span>& spans) {
  Bits bits;
  for (const Span& s : spans) {
    for (std::int64_t i = s.start; i < s.end; ++i) bits.set(static_cast<std::size_t>(i));
  }
  return bits;
}

bool IsSet(const SpanSet& set) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (set[i].Length() <= 0) return false;
    if (i > 0 && set[i].start <= set[i - 1].end) return false;
  }
  return true;
}

std::vector<Span> RandomSpans(std::mt19937& random) {
  std::vector<Span> spans(random() % 12);
  for (Span& s : spans) {
    s.start = static_cast<std::int64_t>(random() % (kRoom - 40));
    s.end = s.start + static_cast<std::int64_t>(random() % 40) - 4;  // empty and reversed ones too
  }
  return spans;
}

TEST(Intervals, AgreeWithABitmap) {
  std::mt19937 random(20);
  for (int round = 0; round < 3000; ++round) {
    const std::vector<Span> x = RandomSpans(random);
    const std::vector<Span> y = RandomSpans(random);
    const SpanSet a = Union(x);
    const SpanSet b = Union(y);
    const Span window{static_cast<std::int64_t>(random() % 200),
                      static_cast<std::int64_t>(random() % 256)};
    ASSERT_TRUE(IsSet(a) && IsSet(Union(a, b)) && IsSet(Minus(a, b)) && IsSet(Intersect(a, b)) &&
                IsSet(Clip(a, window)));
    ASSERT_EQ(BitsOf(a), BitsOf(x));
    ASSERT_EQ(BitsOf(Union(a, b)), BitsOf(x) | BitsOf(y));
    ASSERT_EQ(BitsOf(Minus(a, b)), BitsOf(x) & ~BitsOf(y));
    ASSERT_EQ(BitsOf(Intersect(a, b)), BitsOf(x) & BitsOf(y));
    ASSERT_EQ(BitsOf(Clip(a, window)), BitsOf(x) & BitsOf({window}));
    ASSERT_EQ(Length(a), static_cast<std::int64_t>(BitsOf(x).count()));
  }
}

TEST(Intervals, TouchingOnesJoin) {
  EXPECT_EQ(Union({{5, 9}, {0, 5}}), (SpanSet{{0, 9}}));
  EXPECT_EQ(Union({{3, 3}, {7, 2}}), SpanSet{});
}

TEST(Intervals, AReversedWindowHoldsNothing) { EXPECT_EQ(Clip({{0, 9}}, {8, 2}), SpanSet{}); }

}  // namespace
}  // namespace gpuwhy::trace
