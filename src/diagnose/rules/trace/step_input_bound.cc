#include <algorithm>
#include <optional>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/trace/trace_rules.h"
#include "diagnose/rules/trace/trace_view.h"

namespace gpuwhy::traced {
namespace {

constexpr std::string_view kId = "step.input-bound";

std::optional<Finding> Judge(TraceView& view, const TracePolicy& policy) {
  const Fact* wait = view.Need(FactId::kStepInputWait);
  if (wait == nullptr || wait->interval.low < policy.share) return std::nullopt;
  const Fact* gain = view.Look(FactId::kGainInput);
  const double replay = gain == nullptr ? wait->Number() : gain->Number();
  Finding finding = view.Make(kId);
  finding.cost =
      TimelineCost(std::min(wait->interval.low, replay), replay, std::max(wait->Number(), replay));
  CiteAll(finding, {wait, gain, view.Look(FactId::kStepTime), view.Look(FactId::kStepCompute)});
  finding.title = _("The device waits for input");
  finding.meaning = Format(_("For {} of the step the device does nothing while the host is inside "
                             "the data loader's next: the batch is not ready."),
                           PercentText(wait->Number()));
  finding.decision = _("Have the next batch ready before it is asked for.");
  finding.fix =
      _("Use worker processes and prefetching (num_workers, prefetch_factor, "
        "persistent_workers). Where there are workers already, look at what they wait "
        "for: run gpuwhy diagnose while the job runs.");
  return finding;
}

}  // namespace

RuleResult StepInputBound(const FactSet& facts, const Policy& policy) {
  return ForTraces(facts, kId, [&](TraceView& view) { return Judge(view, policy.trace); });
}

}  // namespace gpuwhy::traced
