#include <optional>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/trace/trace_rules.h"
#include "diagnose/rules/trace/trace_view.h"

namespace gpuwhy::traced {
namespace {

constexpr std::string_view kId = "scaling.peer-wait";

std::optional<Finding> Judge(TraceView& view, const TracePolicy& policy) {
  if (view.Low(FactId::kStepComm) < policy.dominates) return std::nullopt;
  const Fact* wait = view.Need(FactId::kStepPeerWait);
  if (wait == nullptr || wait->interval.low < policy.dominates) return std::nullopt;
  Finding finding = view.Make(kId);
  finding.bound = wait->Number();
  CiteAll(finding, {wait, view.Look(FactId::kStepComm), view.Look(FactId::kStepCompute)});
  finding.title = _("This rank waits for others in its collectives");
  finding.meaning = Format(_("Collectives of the same kind and size take longer than the shortest "
                             "of them by {} of the step: that is waiting for a peer to arrive, not "
                             "moving data. Nothing is said about this host."),
                           PercentText(wait->Number()));
  finding.decision = _("Look at the other ranks: the late one has the short collectives.");
  finding.fix = _("Give the traces of all ranks to gpuwhy trace: it names the one that is late.");
  return finding;
}

}  // namespace

RuleResult ScalingPeerWait(const FactSet& facts, const Policy& policy) {
  // With several ranks at hand the peer is seen: that is scaling.straggler's question.
  if (facts.All(FactId::kStepTime).size() > 1) return {};
  return ForTraces(facts, kId, [&](TraceView& view) { return Judge(view, policy.trace); });
}

}  // namespace gpuwhy::traced
