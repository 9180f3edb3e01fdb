#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/network/network_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr double kStep = 1.8;  ///< from one message size to the next

}  // namespace

RuleResult NcclProtocolStep(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{"nccl.protocol-step",
                               Severity::kInfo,
                               Confidence::kMedium,
                               N_("The bandwidth curve has a step where NCCL changes its protocol"),
                               N_("Between two message sizes the rate jumps, because another "
                                  "protocol or algorithm is taken from there on."),
                               N_("Judge the network by the large sizes."),
                               N_("Bucket sizes over the step use the faster protocol; NCCL_PROTO "
                                  "and NCCL_ALGO only for tests."),
                               "all_reduce_perf -b 8 -e 1G -f 2"};
  for (const Fact* jump : NumbersOf(facts, FactId::kBusbwJump)) {
    if (jump->Number() < kStep) continue;
    std::vector<const Fact*> evidence{jump};
    for (const Fact* line : AllOf(facts, {FactId::kBandwidthLine})) {
      if (line->subject == jump->subject) evidence.push_back(line);
    }
    return Stated(kClaim, evidence);
  }
  return {};
}

}  // namespace gpuwhy
