#include <optional>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/trace/trace_rules.h"
#include "diagnose/rules/trace/trace_view.h"

namespace gpuwhy::traced {
namespace {

constexpr std::string_view kId = "step.optimizer-bound";

std::optional<Finding> Judge(TraceView& view, const Policy& policy) {
  const Fact* optimizer = view.Need(FactId::kStepOptimizer);
  if (optimizer == nullptr || optimizer->interval.low < policy.ranking.min_bound)
    return std::nullopt;
  Finding finding = view.Make(kId);
  finding.bound = optimizer->Number();
  CiteAll(finding, {optimizer, view.Look(FactId::kStepTime)});
  finding.title = _("The optimizer takes most of the step");
  finding.meaning = Format(_("For {} of the step the device works for the optimizer, or waits "
                             "while its step runs on the host."),
                           PercentText(optimizer->Number()));
  finding.decision = _("Look at the optimizer before the model.");
  finding.fix =
      _("Use a fused optimizer, shard its state, keep it on the device, or accumulate "
        "gradients over several batches.");
  return finding;
}

}  // namespace

RuleResult StepOptimizerBound(const FactSet& facts, const Policy& policy) {
  return ForTraces(facts, kId, [&](TraceView& view) { return Judge(view, policy); });
}

}  // namespace gpuwhy::traced
