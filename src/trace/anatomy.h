// Step anatomy: each window's wall time split into parts that always add up exactly to it.
//
// Device time is given to the first of compute, communication, H2D, D2H, D2D, memset that runs at
// an instant; time in which the device does nothing is split by what the host thread was doing that
// ended the gap.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/figures.h"
#include "trace/timeline.h"

namespace gpuwhy::trace {

enum class Part : unsigned char {
  kCompute,
  kComm,
  kH2D,
  kD2H,
  kD2D,
  kMemset,
  kInputWait,
  kHost,
  kLaunch,
  kSync,
  kAlloc,
  kCompile,
  kOtherPhase,
  kUnexplained,
};
inline constexpr std::size_t kParts = 14;
[[nodiscard]] std::string_view PartName(Part part);

using Parts = std::array<std::int64_t, kParts>;  ///< ns; adds up to the window

/// What of an idle stretch is the host's way to the next launch. A recorded piece of host work
/// without another inside it that lasts longer than this issues no work: it does something else.
/// Normal calls take 5 to 20 us (HTA), an operator of a framework under a profiler up to 0.2 ms.
/// Between two recorded events of a thread the host is on its way up to as long; beyond, nothing is
/// known of it unless a frame of a stack says where it was.
inline constexpr std::int64_t kLongestDispatchNs = 1'000'000;
/// Work that starts later than this after its launch waited for something else than its launch: HTA
/// calls 5 to 20 us normal.
inline constexpr std::int64_t kLongestLatencyNs = 20'000;

/// An idle stretch of the device and what ended it.
struct Gap {
  Span span;
  Part cause = Part::kUnexplained;  ///< of its largest piece
  std::uint32_t ended_by =
      UINT32_MAX;  ///< index into Timeline::device; UINT32_MAX: nothing followed
  std::uint32_t host_event =
      UINT32_MAX;  ///< index into Timeline::host: what filled the largest piece
  std::uint32_t sync_event =
      UINT32_MAX;  ///< the call in which the host waited when the device ran dry; none: it did not
  std::int64_t dispatch_ns = 0;  ///< the host's own work in pieces up to kLongestDispatchNs
  std::int64_t latency_ns = 0;   ///< from the launch on
  std::int64_t sync_ns = 0;
  std::int64_t stall_ns = 0;               ///< the host's own work in longer pieces, recorded ones
  std::uint32_t stall_event = UINT32_MAX;  ///< of the longest of them; none: only a frame covers it
  /// In the longest piece of which only a stack tells; UINT32_MAX: there is none.
  std::uint32_t frame_thread = UINT32_MAX;
  std::int64_t frame_at = 0;
};

struct StepAnatomy {
  std::string name, source;  ///< source: "marker", "whole", "period"
  Span window;
  Parts parts{};
};

/// Explains windows of one timeline; keeps the sorted launches and activities between calls.
class Anatomist {
 public:
  /// timeline must outlive it.
  explicit Anatomist(const Timeline& timeline);
  ~Anatomist();
  Anatomist(const Anatomist&) = delete;
  Anatomist& operator=(const Anatomist&) = delete;

  /// device: nullptr for all devices together. gaps (may be null) receives the idle stretches, in
  /// order of time.
  [[nodiscard]] Parts Split(const WorkSets& sets, Span window, const std::int64_t* device,
                            std::vector<Gap>* gaps) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Steps by their markers, in order of time, each from its own start to its own end. One of which
/// more than half lies within the one before is left out.
[[nodiscard]] std::vector<StepAnatomy> StepsOf(const Timeline& timeline);

}  // namespace gpuwhy::trace
