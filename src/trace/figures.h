// Exact figures of what devices did: unions, sums and counts by kind of work, what was exposed and
// what overlapped. Integer nanoseconds over all events; definitions in docs/trace-definitions.md.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "trace/intervals.h"
#include "trace/timeline.h"

namespace gpuwhy::trace {

struct Figures {
  std::int64_t span_ns = 0;  ///< first start to last end
  std::int64_t busy_ns = 0, idle_ns = 0;
  std::array<std::int64_t, kWorkKinds> union_ns{}, sum_ns{};
  std::array<std::uint64_t, kWorkKinds> count{};
  std::int64_t exposed_comm_ns = 0;  ///< communication while nothing computes
  std::int64_t overlap_comm_ns = 0;  ///< communication hidden behind computing
  std::int64_t exposed_memcpy_ns =
      0;  ///< copies while nothing computes or communicates; memset is no copy
};

/// The sets behind the figures, for splitting time further.
struct WorkSets {
  Span span;
  std::array<SpanSet, kWorkKinds> by_work;
  SpanSet busy;
};

struct DeviceFigures {
  std::int64_t device = 0;
  Figures figures;
};

/// Of the events whose lane is on this device, or of all with device == nullptr.
[[nodiscard]] WorkSets SetsOf(const Timeline& timeline, const std::int64_t* device);
[[nodiscard]] Figures FiguresOf(const Timeline& timeline, const WorkSets& sets,
                                const std::int64_t* device);
/// Every device that did something, in order of its id.
[[nodiscard]] std::vector<std::int64_t> DevicesOf(const Timeline& timeline);

}  // namespace gpuwhy::trace
