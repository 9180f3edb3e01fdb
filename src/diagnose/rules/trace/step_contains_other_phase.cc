#include <optional>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/trace/trace_rules.h"
#include "diagnose/rules/trace/trace_view.h"

namespace gpuwhy::traced {
namespace {

constexpr std::string_view kId = "step.contains-other-phase";

std::optional<Finding> Judge(TraceView& view, const TracePolicy& policy) {
  const Fact* first = view.Look(FactId::kStepFirst);
  const Fact* phase = view.Look(FactId::kStepOtherPhase);
  const Fact* steps = view.Look(FactId::kStepPhaseSteps);
  const bool phases = phase != nullptr && steps != nullptr && phase->Number() >= policy.share;
  if (first == nullptr && !phases) return std::nullopt;
  Finding finding = view.Make(kId);
  finding.severity = Severity::kInfo;
  CiteAll(finding, {first, phases ? phase : nullptr, phases ? steps : nullptr});
  finding.title = _("Not every step of the trace is only a step");
  if (first != nullptr) {
    finding.meaning += Format(_("The first takes {:.1f} times the median: start-up. It is left "
                                "out. "),
                              first->Number());
  }
  if (phases) {
    finding.meaning += Format(_("{:.0f} of them hold a checkpoint or validation, {} of the time."),
                              steps->Number(), PercentText(phase->Number()));
  }
  finding.decision = _("Compare steps without them.");
  finding.fix =
      _("Profile after warm-up (schedule(wait, warmup, active)), and give checkpoints and "
        "validation a range of their own, outside of the step's.");
  return finding;
}

}  // namespace

RuleResult StepContainsOtherPhase(const FactSet& facts, const Policy& policy) {
  return ForTraces(facts, kId, [&](TraceView& view) { return Judge(view, policy.trace); });
}

}  // namespace gpuwhy::traced
