#include <optional>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/trace/trace_rules.h"
#include "diagnose/rules/trace/trace_view.h"

namespace gpuwhy::traced {
namespace {

constexpr std::string_view kId = "step.reformat-bound";

std::optional<Finding> Judge(TraceView& view, const TracePolicy& policy) {
  const Fact* reformat = view.Need(FactId::kStepReformat);
  if (reformat == nullptr || reformat->interval.low < policy.reformat) return std::nullopt;
  Finding finding = view.Make(kId);
  // No trace says which of the copies is needless.
  constexpr double kNeedless = 0.5;
  finding.cost = TimelineCost(0, reformat->Number() * kNeedless, reformat->Number());
  CiteAll(finding, {reformat, view.Look(FactId::kStepCompute)});
  finding.title = _("The device casts, transposes and copies instead of working");
  finding.meaning = Format(_("For {} of the step the device runs nothing but casts, transposes, "
                             "copies and concatenations. It is busy, and gets nothing done."),
                           PercentText(reformat->Number()));
  finding.decision = _("Keep one layout and one precision through the step.");
  finding.fix =
      _("Fuse the copies into their neighbours (torch.compile), use channels_last from "
        "the input on, cast once and not in each layer, write into the place where the "
        "result is needed instead of concatenating.");
  return finding;
}

}  // namespace

RuleResult StepReformatBound(const FactSet& facts, const Policy& policy) {
  return ForTraces(facts, kId, [&](TraceView& view) { return Judge(view, policy.trace); });
}

}  // namespace gpuwhy::traced
