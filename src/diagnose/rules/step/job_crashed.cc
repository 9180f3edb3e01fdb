#include <algorithm>
#include <array>

#include "base/i18n.h"
#include "diagnose/rules/stated.h"
#include "diagnose/rules/step/step_rules.h"

namespace gpuwhy {
namespace {

/// Whether a message names what a process ends of: then the end itself is no finding of its own.
bool ItsCauseIsNamed(const FactSet& facts) {
  constexpr std::array kCauses = {FactId::kSaidCollectiveTimeout,
                                  FactId::kSaidPeerUnreachable,
                                  FactId::kSaidRendezvous,
                                  FactId::kSaidMemcgKill,
                                  FactId::kSaidShmTooSmall,
                                  FactId::kSaidFallenOffBus,
                                  FactId::kSaidEcc,
                                  FactId::kSaidXidCause,
                                  FactId::kSaidXidApplication,
                                  FactId::kSaidXidVictim,
                                  FactId::kSaidXidReset,
                                  FactId::kSaidXidMemory,
                                  FactId::kSaidXidBus,
                                  FactId::kSaidXidLink,
                                  FactId::kSaidFabricNotReady,
                                  FactId::kSaidDriverTooOld,
                                  FactId::kSaidLibraryMismatch,
                                  FactId::kSaidNumbersBroke,
                                  FactId::kSaidCudaBroken,
                                  FactId::kSaidUnknownDevice,
                                  FactId::kAllocLine};
  return std::any_of(kCauses.begin(), kCauses.end(), [&](FactId id) { return Has(facts, id); });
}

}  // namespace

RuleResult JobCrashed(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "job.crashed",
      Severity::kCritical,
      Confidence::kMedium,
      N_("A process of the job ended by a signal"),
      N_("It was not slow, it died. The library that the address lies in need not be the one at "
         "fault."),
      N_("Find out what the process did when it died."),
      N_("Run it with python -X faulthandler, keep the core (ulimit -c unlimited; coredumpctl), "
         "and read the log of the first rank that ended."),
      "coredumpctl list"};
  if (ItsCauseIsNamed(facts)) return {};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidCrashed}));
}

}  // namespace gpuwhy
