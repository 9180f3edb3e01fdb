#include "base/i18n.h"
#include "diagnose/rules/memory/memory_rules.h"
#include "diagnose/rules/memory/refused_allocation.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult VramFragmented(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "vram.fragmented",
      Severity::kCritical,
      Confidence::kMedium,
      N_("GPU memory was refused: what is reserved lies unused in pieces too small for the "
         "request"),
      N_("The allocator holds more unused memory than was asked for, in no piece large enough."),
      N_("Change how the allocator cuts memory; the device itself is large enough."),
      N_("PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True; older versions: max_split_size_mb. "
         "Sizes that repeat from step to step help as well."),
      "nvidia-smi --query-compute-apps=pid,used_memory --format=csv"};
  return Refused(kClaim, facts, RefusalCause::kFragmented);
}

}  // namespace gpuwhy
