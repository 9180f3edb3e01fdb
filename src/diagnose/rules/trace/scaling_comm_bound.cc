#include <algorithm>
#include <optional>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/trace/trace_rules.h"
#include "diagnose/rules/trace/trace_view.h"

namespace gpuwhy::traced {
namespace {

constexpr std::string_view kId = "scaling.comm-bound";

std::optional<Finding> Judge(TraceView& view, const TracePolicy& policy) {
  const Fact* exposed = view.Need(FactId::kStepComm);
  if (exposed == nullptr || exposed->interval.low < policy.dominates) return std::nullopt;
  // Who waits in a collective and who moves data looks the same from one rank.
  const Fact* wait = view.Need(FactId::kStepPeerWait);
  if (wait == nullptr) return std::nullopt;
  const double moving = exposed->interval.low - wait->Number();
  const bool largest =
      moving >= view.Low(FactId::kStepCompute) && moving >= view.Low(FactId::kStepIdle);
  if (moving < policy.dominates || !largest) return std::nullopt;
  Finding finding = view.Make(kId);
  finding.bound = std::max(0.0, exposed->Number() - wait->Number());
  CiteAll(finding, {exposed, wait, view.Look(FactId::kStepCompute), view.Look(FactId::kGainComm)});
  finding.title = _("The step is bound by communication between ranks");
  finding.meaning = Format(_("Collectives that no computing hides take {} of the step, {} of it "
                             "waiting for peers to arrive."),
                           PercentText(exposed->Number()), PercentText(wait->Number()));
  finding.decision = _("Hide communication, or send less of it.");
  finding.fix =
      _("Overlap gradient reduction with the backward pass (larger or smaller buckets), "
        "accumulate gradients, compress them, or keep the tight groups inside a node. "
        "Check the links first: gpuwhy diagnose.");
  return finding;
}

}  // namespace

RuleResult ScalingCommBound(const FactSet& facts, const Policy& policy) {
  return ForTraces(facts, kId, [&](TraceView& view) { return Judge(view, policy.trace); });
}

}  // namespace gpuwhy::traced
