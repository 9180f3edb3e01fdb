#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult DriverHung(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{"driver.hung",
                               Severity::kCritical,
                               Confidence::kMedium,
                               N_("Tasks hang in the kernel after a GPU channel was torn down"),
                               N_("The driver ended channels of a job and tasks of it have not "
                                  "come back from the kernel for minutes."),
                               N_("Drain the node; it rarely recovers without a reset."),
                               N_("End the job, reset the GPU or reboot, and keep the kernel log."),
                               "dmesg | grep -iE 'xid|blocked for'"};
  if (!Has(facts, FactId::kSaidHungTask)) return {};
  // A task that waits for storage hangs for its own reason.
  if (Has(facts, FactId::kSaidRpcWait) || Has(facts, FactId::kSaidNfsNotResponding)) return {};
  if (!Has(facts, FactId::kSaidXidVictim)) {
    return {{},
            {{_("what a task hangs on in the kernel"),
              _("the kernel says that it was blocked for minutes; neither the stack that it prints "
                "below names storage, nor did the GPU's driver tear anything down"),
              _("on that host: the lines below that message in dmesg -T, and as root "
                "/proc/PID/stack of the task"),
              {"driver.hung"}}}};
  }
  return Stated(kClaim, AllOf(facts, {FactId::kSaidHungTask, FactId::kSaidXidVictim}));
}

}  // namespace gpuwhy
