// Signs that several rules of the device read alike.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnose/rules/device/gpu_moment.h"

namespace gpuwhy {

/// A clock reason other than idle is active.
[[nodiscard]] bool HasReason(const GpuMoment& gpu);
/// The clock reads as its maximum, so nothing holds it down, whatever flag was read beside it.
[[nodiscard]] bool IsAtFullClock(const GpuMoment& gpu, const GpuPolicy& policy);
/// A flag of software thermal slowdown that the temperature does not bear out.
[[nodiscard]] bool IsColdThermalFlag(const GpuMoment& gpu);
/// The flag of a part of the hardware slowdown without the flag of the whole, which the driver sets
/// along with it.
[[nodiscard]] bool IsBrakeWithoutSlowdown(const GpuMoment& gpu);
/// Power holds the clocks: the flag and the figures say so, or one of them where the other was not
/// read.
[[nodiscard]] bool IsHeldByPower(const GpuMoment& gpu, const GpuPolicy& policy);
/// The power-cap counter of this GPU is higher now than in another moment.
[[nodiscard]] bool CounterGrew(const GpuMoment& gpu, const std::vector<GpuMoment>& moments);
/// By its name a GPU of a laptop: it sleeps between uses, and often has 8 lanes of 16.
[[nodiscard]] bool IsLaptop(const GpuMoment& gpu);
/// Slices: figures of the whole GPU say little about a job on it.
[[nodiscard]] bool IsMig(const GpuMoment& gpu, const FactSet& facts);
/// The highest clock that the GPU is known to reach: its maximum, else what it ran at in another
/// moment. nullptr: unknown.
[[nodiscard]] const Fact* ReferenceClock(const GpuMoment& gpu,
                                         const std::vector<GpuMoment>& moments);

/// Fewer lanes than the GPU could use, by how the machine is built: a laptop, a cloud's board that
/// is wired with 8, or the lanes of a desktop shared out among its GPUs.
[[nodiscard]] bool IsNarrowByDesign(const GpuMoment& gpu, const std::vector<GpuMoment>& moments);

/// Was the same GPU busy in another moment?
[[nodiscard]] bool IsBusyElsewhere(const GpuMoment& gpu, const std::vector<GpuMoment>& moments,
                                   const GpuPolicy& policy);

/// The mean load of the GPU over the rows of one output; nullptr where it was looked at too seldom.
[[nodiscard]] const Fact* SeriesLoad(const FactSet& facts, const GpuMoment& gpu);
/// The training log says that a good part of the step waits for data. A GPU that was busy when it
/// was looked at is no answer then: that was between two waits.
[[nodiscard]] bool LogSaysStarved(const FactSet& facts);
/// What can't be said beside such a log.
[[nodiscard]] Unknown MomentAgainstLog(std::string_view id);
/// The look is all there is of this GPU: no span, and no row of rows.
[[nodiscard]] bool IsOneMoment(const FactSet& facts, const GpuMoment& gpu);
/// For what share of the time the limit holds: `share`, of a single moment nothing. Sets the
/// confidence to `sure`, or lower where rows of an output or a moment are all there is.
void SetBound(Finding& finding, const FactSet& facts, const GpuMoment& gpu, double share,
              Confidence sure);

/// lspci on the GPU's address where that is how it is named, else on all of NVIDIA's.
[[nodiscard]] std::string LspciCommand(const Subject& gpu);

struct Weight {
  Severity severity = Severity::kInfo;
  Confidence confidence = Confidence::kLow;
};
/// One finding on the host where a tool printed this message; nothing where none did.
[[nodiscard]] RuleResult OnMessage(const FactSet& facts, std::string_view message,
                                   std::string_view id, const Wording& wording, Weight weight);

struct NvlinkCount {
  double gpus = 0, active = 0, inactive = 0;
  double most = 0;          ///< links of the GPU that has most
  double gpus_touched = 0;  ///< GPUs with a link that is down
  double gpus_all_down = 0;
  bool alike = true;  ///< every GPU has the same number of links down
};
[[nodiscard]] NvlinkCount CountNvlinks(const FactSet& facts);  ///< of all GPUs listed
/// The ends that are down are as many as one more GPU would own, spread over several others.
[[nodiscard]] bool LooksLikeAbsentPeer(const NvlinkCount& count);
void CiteDownLinks(Finding& finding, const FactSet& facts);  ///< of GPUs with links down

}  // namespace gpuwhy
