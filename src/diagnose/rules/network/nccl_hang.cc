#include "base/i18n.h"
#include "diagnose/rules/network/network_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult NcclHang(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "nccl.hang",
      Severity::kCritical,
      Confidence::kHigh,
      N_("A collective timed out: not all ranks arrived"),
      N_("The watchdog ended a collective that some rank never joined. The rank that reports it is "
         "mostly the one that waited."),
      N_("Find the rank that did not come, not the one that complains."),
      N_("Compare the last collective of every rank (TORCH_NCCL_TRACE_BUFFER_SIZE, "
         "NCCL_DEBUG=INFO), and look for an exception, an out-of-memory error or a slow input on "
         "the missing one."),
      "py-spy dump --pid PID"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidCollectiveTimeout}));
}

}  // namespace gpuwhy
