#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/trace/trace_rules.h"
#include "diagnose/rules/trace/trace_view.h"

namespace gpuwhy::traced {
namespace {

constexpr std::string_view kId = "step.sync-bound";

std::optional<Finding> Judge(TraceView& view, const TracePolicy& policy) {
  const Fact* bubble = view.Need(FactId::kStepSyncBubble);
  if (bubble == nullptr || bubble->interval.low < policy.share) return std::nullopt;
  // Without the replay it is open whether the host could have kept the device busy at all.
  const Fact* gain = view.Need(FactId::kGainSync);
  if (gain == nullptr || gain->Number() < policy.share) return std::nullopt;
  Finding finding = view.Make(kId);
  const double low = std::min(bubble->interval.low, gain->Number());
  finding.cost = TimelineCost(low, std::min(bubble->Number(), gain->Number()),
                              std::max(bubble->Number(), gain->Number()));
  CiteAll(finding, {bubble, gain, view.Look(FactId::kStepSync), view.Look(FactId::kStepD2H)});
  const std::string call = view.Text(FactId::kStepSyncCall);
  finding.title = _("The host stops the queue by waiting for the device");
  finding.meaning = Format(_("For {} of the step the device has run dry while the host stood in {} "
                             "and stays idle until the host has launched again."),
                           PercentText(bubble->Number()), call);
  finding.decision = _("Read results back later, or less often.");
  finding.fix =
      _("Look for .item(), .cpu(), print of a tensor, torch.cuda.synchronize(), nonzero "
        "and masks in the step; keep such values on the device and read them every "
        "hundredth step, or copy them with non_blocking=True to pinned memory.");
  return finding;
}

}  // namespace

RuleResult StepSyncBound(const FactSet& facts, const Policy& policy) {
  return ForTraces(facts, kId, [&](TraceView& view) { return Judge(view, policy.trace); });
}

}  // namespace gpuwhy::traced
