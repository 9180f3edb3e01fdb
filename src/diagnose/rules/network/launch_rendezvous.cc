#include "base/i18n.h"
#include "diagnose/rules/network/network_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult LaunchRendezvous(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "launch.rendezvous",
      Severity::kCritical,
      Confidence::kHigh,
      N_("The ranks did not meet: some never joined"),
      N_("The job ended before any collective existed, because the store did not hear from every "
         "worker in time."),
      N_("Look at why the missing ranks did not start or can't reach the store; the GPUs have no "
         "part in it."),
      N_("Check that every node runs the same world size, MASTER_ADDR and MASTER_PORT, that the "
         "port is reachable from each node, and what the missing ranks wrote."),
      "nc -vz MASTER_ADDR MASTER_PORT"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidRendezvous}));
}

}  // namespace gpuwhy
