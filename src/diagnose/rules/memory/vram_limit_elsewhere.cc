#include "base/i18n.h"
#include "diagnose/rules/memory/memory_rules.h"
#include "diagnose/rules/memory/refused_allocation.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

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
  RuleResult result = Refused(kClaim, facts, RefusalCause::kElsewhere);
  if (!result.findings.empty()) {
    result.unknowns.push_back({_("what refused the allocation"),
                               _("the message only shows that device memory was free"),
                               _("look at the host's memory and limits at that time"),
                               {"vram.limit-elsewhere"}});
  }
  return result;
}

}  // namespace gpuwhy
