#include "trace/intervals.h"

#include <algorithm>
#include <iterator>

namespace gpuwhy::trace {

SpanSet Union(std::vector<Span> spans) {
  std::erase_if(spans, [](const Span& s) { return s.end <= s.start; });
  if (!std::is_sorted(spans.begin(), spans.end())) std::sort(spans.begin(), spans.end());
  std::size_t kept = 0;
  for (const Span& next : spans) {
    if (kept > 0 && next.start <= spans[kept - 1].end) {
      spans[kept - 1].end = std::max(spans[kept - 1].end, next.end);
    } else {
      spans[kept++] = next;
    }
  }
  spans.resize(kept);
  return spans;
}

SpanSet Union(const SpanSet& a, const SpanSet& b) {
  std::vector<Span> both;
  both.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return Union(std::move(both));
}

SpanSet Minus(const SpanSet& a, const SpanSet& b) {
  SpanSet out;
  std::size_t j = 0;
  for (const Span& span : a) {
    std::int64_t from = span.start;
    while (j < b.size() && b[j].end <= from) ++j;
    for (std::size_t k = j; k < b.size() && b[k].start < span.end; ++k) {
      if (b[k].start > from) out.push_back({from, b[k].start});
      from = std::max(from, b[k].end);
    }
    if (from < span.end) out.push_back({from, span.end});
  }
  return out;
}

SpanSet Intersect(const SpanSet& a, const SpanSet& b) {
  SpanSet out;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const std::int64_t start = std::max(a[i].start, b[j].start);
    const std::int64_t end = std::min(a[i].end, b[j].end);
    if (start < end) out.push_back({start, end});
    if (a[i].end < b[j].end) {
      ++i;
    } else {
      ++j;
    }
  }
  return out;
}

SpanSet Clip(const SpanSet& a, Span window) {
  SpanSet clipped;
  // Found by halving: there are as many windows as steps.
  auto span =
      std::lower_bound(a.begin(), a.end(), window.start,
                       [](const Span& one, std::int64_t start) { return one.end <= start; });
  for (; span != a.end() && span->start < window.end; ++span) {
    const Span part{std::max(span->start, window.start), std::min(span->end, window.end)};
    if (part.Length() > 0) clipped.push_back(part);
  }
  return clipped;
}

bool HoldsInstant(const SpanSet& set, std::int64_t at) {
  const auto after = std::upper_bound(
      set.begin(), set.end(), at, [](std::int64_t t, const Span& span) { return t < span.start; });
  return after != set.begin() && at < std::prev(after)->end;
}

std::int64_t Length(const SpanSet& set) {
  std::int64_t sum = 0;
  for (const Span& span : set) sum += span.Length();
  return sum;
}

}  // namespace gpuwhy::trace
