// What is asked of a timeline to find what is wrong with its steps: for each measured step the time
// that one way of losing time took. Start-up, warm-up and what is outside of steps is not in it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/reading.h"
#include "trace/anatomy.h"
#include "trace/steps.h"
#include "trace/timeline.h"

namespace gpuwhy::trace {

enum class StepFigure : unsigned char {
  kDispatch,      ///< idle while the host was on its way to the next launch, up to usual latencies
  kDispatchSure,  ///< what of it would be left had the profiler doubled the host's time
  kStall,         ///< idle while the host did one long thing of its own
  kQueued,        ///< idle although the next work had been launched long enough before
  kSyncBubble,    ///< idle from where the host waited for the device to the next work
  kPageableH2D,   ///< copies to the device from pageable memory, not hidden
  kReformat,      ///< casts, transposes and copies by kernels, and nothing else computed
  kPlainFp32,     ///< FP32 products without tensor cores on a device that has TF32
  kPlainHalf,     ///< half-precision products without tensor cores
  kPeerWait,      ///< exposed collectives beyond the shortest of their kind and size
  kOptimizer,     ///< the optimizer's work on the device, and idle while its step runs on the host
};
inline constexpr std::size_t kStepFigures = 11;

using StepRow = std::array<std::int64_t, kStepFigures>;  ///< ns

struct StepFigures {
  std::vector<StepRow> rows;        ///< one a measured step, in the order of StepList
  std::uint64_t gaps = 0;           ///< idle stretches within them
  std::string sync_call;            ///< behind most of kSyncBubble; empty: there is none
  std::string stall_event;          ///< behind the longest stall; empty: nothing was recorded there
  std::uint64_t long_launches = 0;  ///< launches of kernels of 20 us and more
  std::uint64_t blocking_launches =
      0;  ///< of them, those that returned when the kernel was done only
  std::uint64_t sized_collectives = 0, collectives = 0;  ///< in steps; those whose bytes are known
};

/// gaps: of the whole span, in order of time.
[[nodiscard]] StepFigures StepFiguresOf(const Timeline& timeline, const WorkSets& sets,
                                        const std::vector<Gap>& gaps, const StepList& steps);

}  // namespace gpuwhy::trace
