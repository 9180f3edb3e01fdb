#include <optional>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/trace/trace_rules.h"
#include "diagnose/rules/trace/trace_view.h"

namespace gpuwhy::traced {
namespace {

constexpr std::string_view kId = "input.batch-small";

std::optional<Finding> Judge(TraceView& view, const TracePolicy& policy) {
  if (view.Low(FactId::kStepDispatchSure) < policy.share) return std::nullopt;
  const Fact* tiny = view.Need(FactId::kTraceTiny);
  if (tiny == nullptr || tiny->Number() < policy.small_grids) return std::nullopt;
  const Fact* grids = view.Need(FactId::kTraceSmallGrids);
  if (grids == nullptr || grids->Number() < policy.small_grids) return std::nullopt;
  Finding finding = view.Make(kId);
  finding.confidence = Confidence::kLow;  // the batch itself is not in the trace
  CiteAll(finding, {grids, tiny, view.Look(FactId::kStepDispatch)});
  finding.title = _("Each step has too little work for the device");
  finding.meaning = Format(_("{} of the kernels' time is spent in grids smaller than the device, "
                             "and the launches take longer than the kernels. More samples in a "
                             "step would cost little more time."),
                           PercentText(grids->Number()));
  finding.decision = _("Put more samples into a step, where latency allows it.");
  finding.fix = _("Double the batch and watch samples per second until it stops growing.");
  return finding;
}

}  // namespace

RuleResult InputBatchSmall(const FactSet& facts, const Policy& policy) {
  return ForTraces(facts, kId, [&](TraceView& view) { return Judge(view, policy.trace); });
}

}  // namespace gpuwhy::traced
