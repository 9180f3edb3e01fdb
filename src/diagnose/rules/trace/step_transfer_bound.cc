#include <algorithm>
#include <optional>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/trace/trace_rules.h"
#include "diagnose/rules/trace/trace_view.h"

namespace gpuwhy::traced {
namespace {

constexpr std::string_view kId = "step.transfer-bound";

std::optional<Finding> Judge(TraceView& view, const TracePolicy& policy) {
  const Fact* exposed = view.Need(FactId::kStepTransfer);
  if (exposed == nullptr || exposed->interval.low < policy.share) return std::nullopt;
  const Fact* gain = view.Look(FactId::kGainCopies);
  const Fact* overlap = view.Look(FactId::kTraceOverlapBound);
  const double share =
      gain == nullptr ? exposed->Number() : std::min(gain->Number(), exposed->Number());
  Finding finding = view.Make(kId);
  finding.cost = TimelineCost(overlap == nullptr ? 0 : overlap->Number(), share, exposed->Number());
  CiteAll(finding,
          {exposed, view.Look(FactId::kStepH2D), view.Look(FactId::kStepD2H), overlap, gain,
           view.Look(FactId::kTracePinnedRate), view.Look(FactId::kTracePageableRate)});
  finding.title = _("Copies between host and device hold up the step");
  finding.meaning = Format(_("For {} of the step the device only copies to or from the host, and "
                             "nothing is computed meanwhile. Overlapping alone would save at least "
                             "{}; what goes beyond that needs fewer bytes."),
                           PercentText(exposed->Number()), PercentText(finding.cost->low));
  finding.decision = _("Copy beside the computing, and copy less.");
  finding.fix =
      _("Copy from pinned memory with non_blocking=True on a stream of its own, one "
        "batch ahead. Where weights or states are streamed from the host, keep on the "
        "device what fits.");
  return finding;
}

}  // namespace

RuleResult StepTransferBound(const FactSet& facts, const Policy& policy) {
  return ForTraces(facts, kId, [&](TraceView& view) { return Judge(view, policy.trace); });
}

}  // namespace gpuwhy::traced
