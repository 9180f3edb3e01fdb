#include "base/i18n.h"
#include "diagnose/rules/memory/memory_rules.h"
#include "diagnose/rules/memory/refused_allocation.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult VramTooSmall(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "vram.too-small",
      Severity::kCritical,
      Confidence::kHigh,
      N_("GPU memory was refused: the working set does not fit"),
      N_("The request was larger than what was left, and neither another process nor unused "
         "reserved memory would have made room."),
      N_("Make the peak smaller or use a larger GPU; settings of the allocator will not help."),
      N_("Smaller batch or sequence, gradient accumulation or checkpointing, lower precision, "
         "sharded optimizer; limit the longest samples where one batch is the outlier."),
      "nvidia-smi"};
  return Refused(kClaim, facts, RefusalCause::kTooSmall);
}

}  // namespace gpuwhy
