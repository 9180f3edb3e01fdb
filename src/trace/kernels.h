// The kernels of a timeline: which carry it, how large they are, how they are launched, and how
// copies run.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/reading.h"
#include "trace/kernel_class.h"
#include "trace/timeline.h"

namespace gpuwhy::trace {

/// Kernels shorter than this cost about as much to launch as to run.
inline constexpr std::int64_t kTinyKernelNs = 10'000;

/// Who launched a part of a kernel's work, with which inputs.
struct KernelShape {
  std::string op, inputs;  ///< "aten::mm", "[64,512] [512,512]"
  std::uint64_t count = 0;
  std::int64_t sum_ns = 0;
};
inline constexpr std::size_t kMostKernelShapes = 3;

struct KernelRow {
  std::string name;
  KernelClass kernel_class = KernelClass::kOther;
  std::uint64_t count = 0;
  std::int64_t sum_ns = 0;
  double share = 0;                 ///< of the time of all kernels, copies and memsets added up
  std::vector<KernelShape> shapes;  ///< the costliest first; empty: the trace holds no shapes
};

struct CopyFigures {
  std::uint64_t count = 0, bytes = 0;
  std::int64_t sum_ns = 0;
  /// While copying. Missing where no copy says its bytes.
  [[nodiscard]] Reading<double> BytesPerSecond() const;
};

struct KernelFigures {
  std::vector<KernelRow> rows;  ///< by time, the largest first; at most the number asked for
  std::array<std::int64_t, kKernelClasses> class_ns{};
  std::array<std::uint64_t, kKernelClasses> class_count{};
  Reading<double> tiny_share;  ///< of kernels (no copies) shorter than kTinyKernelNs, by count
  /// From a launch's start to the start of what it launched; those that start before are left out.
  Reading<std::int64_t> launch_p50_ns, launch_p99_ns;
  Reading<double> queue_depth;  ///< launched and not yet started, mean over the span
  /// Of the time on which the trace records a grid: spent in grids of fewer blocks than SMs.
  Reading<double> small_grid_share;
  CopyFigures pageable_h2d, pinned_h2d, other_h2d, pageable_d2h, pinned_d2h, other_d2h;
};

[[nodiscard]] KernelClass ClassOf(Work work, std::string_view name);
[[nodiscard]] KernelFigures KernelsOf(const Timeline& timeline, std::size_t most_rows);

}  // namespace gpuwhy::trace
