#include "diagnose/rules/refused_allocation.h"

#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

enum class Cause : unsigned char { kTooSmall, kFragmented, kOtherProcess, kElsewhere };

constexpr double kOthersPart = 0.25;  ///< of the device, held by others, from which they are named
constexpr double kSparePart = 0.15;   ///< of the reserved memory that lies unused
constexpr double kFreePart = 0.10;    ///< of the device, free: a nearly full one has it in pieces
constexpr double kFreeOver = 1.5;     ///< free memory over the request: the device was not full

Cause CauseOf(const FactSet& facts, const Subject& subject) {
  const auto number = [&](FactId id) { return facts.Number(id, subject); };
  const Reading<double> request = number(FactId::kAllocRequest);
  const Reading<double> free = number(FactId::kAllocFree);
  const Reading<double> total = number(FactId::kAllocTotal);
  const Reading<double> spare = number(FactId::kAllocUnallocated);
  const Reading<double> reserved = number(FactId::kAllocReserved);
  const Reading<double> others = number(FactId::kAllocElsewhere);
  const bool roomy = !total || (free && *free >= kFreePart * *total);
  if (request && free && *free >= kFreeOver * *request && roomy) return Cause::kElsewhere;
  // Larger than the board, or than all of it that others leave: nobody's fault but the size's.
  if (others && total && *others >= kOthersPart * *total && (!request || *request < *total))
    return Cause::kOtherProcess;
  if (request && spare && reserved && *spare >= *request && *spare >= kSparePart * *reserved)
    return Cause::kFragmented;
  return Cause::kTooSmall;
}

/// One finding for the first message with this cause; the others say the same.
RuleResult Refused(const StatedClaim& claim, const FactSet& facts, Cause cause) {
  for (const Fact* line : AllOf(facts, {FactId::kAllocLine})) {
    if (CauseOf(facts, line->subject) != cause) continue;
    std::vector<const Fact*> evidence{line};
    for (const FactId id :
         {FactId::kAllocRequest, FactId::kAllocTotal, FactId::kAllocFree, FactId::kAllocReserved,
          FactId::kAllocUnallocated, FactId::kAllocElsewhere}) {
      const Fact* fact = facts.Find(id, line->subject);
      if (IsNumber(fact)) evidence.push_back(fact);
    }
    RuleResult result = Stated(claim, evidence);
    // A message without figures only says that it was refused.
    if (evidence.size() == 1) result.findings.front().confidence = Confidence::kLow;
    return result;
  }
  return {};
}

}  // namespace

RuleResult VramTooSmall(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "vram.too-small",
      Severity::kCritical,
      Confidence::kHigh,
      N_("The working set does not fit into GPU memory"),
      N_("The request was larger than what was left, and neither another process nor unused "
         "reserved memory would have made room."),
      N_("Make the peak smaller or use a larger GPU; settings of the allocator will not help."),
      N_("Smaller batch or sequence, gradient accumulation or checkpointing, lower precision, "
         "sharded optimizer; limit the longest samples where one batch is the outlier."),
      "nvidia-smi"};
  RuleResult result = Refused(kClaim, facts, Cause::kTooSmall);
  for (Finding& finding : result.findings) finding.bound = 1;
  return result;
}

RuleResult VramFragmented(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "vram.fragmented",
      Severity::kCritical,
      Confidence::kMedium,
      N_("Reserved GPU memory lies unused in pieces too small for the request"),
      N_("The allocator holds more unused memory than was asked for, in no piece large enough."),
      N_("Change how the allocator cuts memory; the device itself is large enough."),
      N_("PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True; older versions: max_split_size_mb. "
         "Sizes that repeat from step to step help as well."),
      ""};
  return Refused(kClaim, facts, Cause::kFragmented);
}

RuleResult VramOtherProcess(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "vram.other-process",
      Severity::kCritical,
      Confidence::kHigh,
      N_("Another process holds the GPU memory that is missing"),
      N_("The device is full, and this process holds only a small part of it."),
      N_("Find who holds it before changing the model."),
      N_("nvidia-smi lists the processes; one that is dead or in another container may not be "
         "listed. End it, or choose another GPU."),
      "nvidia-smi --query-compute-apps=pid,used_memory --format=csv"};
  return Refused(kClaim, facts, Cause::kOtherProcess);
}

RuleResult VramLimitElsewhere(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "vram.limit-elsewhere",
      Severity::kWarning,
      Confidence::kMedium,
      N_("The allocation was refused although far more GPU memory was free"),
      N_("Device memory is not what ran out. Host memory, the page file of Windows or a limit on "
         "the process can refuse it as well."),
      N_("Look at the host's limits, not at the batch size."),
      N_("Check the host's commit limit or page file, ulimit -v, locked memory, and a memory "
         "fraction that was set for the process."),
      "ulimit -a"};
  RuleResult result = Refused(kClaim, facts, Cause::kElsewhere);
  if (!result.findings.empty()) {
    result.unknowns.push_back({_("what refused the allocation"),
                               _("the message only shows that device memory was free"),
                               _("look at the host's memory and limits at that time"),
                               {"vram.limit-elsewhere"}});
  }
  return result;
}

}  // namespace gpuwhy
