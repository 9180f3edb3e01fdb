// Interval algebra on half-open [start, end) in nanoseconds. A set is sorted, its intervals neither
// touch nor overlap.
#pragma once

#include <cstdint>
#include <vector>

namespace gpuwhy::trace {

struct Span {
  std::int64_t start = 0, end = 0;
  [[nodiscard]] std::int64_t Length() const { return end - start; }
  friend auto operator<=>(const Span&, const Span&) = default;
};

inline constexpr Span kAllTime{INT64_MIN, INT64_MAX};

using SpanSet = std::vector<Span>;

/// The union of spans in any order; empty and reversed ones vanish. O(n log n), O(n) where they are
/// sorted.
[[nodiscard]] SpanSet Union(std::vector<Span> spans);
[[nodiscard]] SpanSet Union(const SpanSet& a, const SpanSet& b);
/// What of a is not in b.
[[nodiscard]] SpanSet Minus(const SpanSet& a, const SpanSet& b);
[[nodiscard]] SpanSet Intersect(const SpanSet& a, const SpanSet& b);
[[nodiscard]] SpanSet Clip(const SpanSet& a, Span window);
[[nodiscard]] std::int64_t Length(const SpanSet& set);
[[nodiscard]] bool HoldsInstant(const SpanSet& set, std::int64_t at);

}  // namespace gpuwhy::trace
