#include "base/i18n.h"
#include "diagnose/rules/memory/memory_rules.h"
#include "diagnose/rules/memory/refused_allocation.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult VramOtherProcess(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "vram.other-process",
      Severity::kCritical,
      Confidence::kHigh,
      N_("GPU memory was refused: another process holds what is missing"),
      N_("The device is full, and this process holds only a small part of it."),
      N_("Find who holds it before changing the model."),
      N_("nvidia-smi lists the processes; one that is dead or in another container may not be "
         "listed. End it, or choose another GPU."),
      "nvidia-smi --query-compute-apps=pid,used_memory --format=csv"};
  return Refused(kClaim, facts, RefusalCause::kOtherProcess);
}

}  // namespace gpuwhy
