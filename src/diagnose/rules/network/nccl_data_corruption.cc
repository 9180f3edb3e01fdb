#include "base/i18n.h"
#include "diagnose/rules/network/network_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult NcclDataCorruption(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{"nccl.data-corruption",
                               Severity::kCritical,
                               Confidence::kHigh,
                               N_("A collective gave wrong results"),
                               N_("The test compares what arrives with what must; some of it "
                                  "differs. This is not slow, it is wrong."),
                               N_("Take the node out; training on it can't be trusted."),
                               N_("Find the pair with p2pBandwidthLatencyTest and single-pair "
                                  "runs; look at IOMMU and ACS, at NVLink errors and at the NICs."),
                               "all_reduce_perf -b 8 -e 1G -f 2 -c 1"};
  return Stated(kClaim, AllOf(facts, {FactId::kNcclWrong, FactId::kSaidDataCorruption}));
}

}  // namespace gpuwhy
