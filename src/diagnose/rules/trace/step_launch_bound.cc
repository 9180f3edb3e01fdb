#include <algorithm>
#include <optional>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/trace/trace_rules.h"
#include "diagnose/rules/trace/trace_view.h"

namespace gpuwhy::traced {
namespace {

constexpr std::string_view kId = "step.launch-bound";

// A device that the replay keeps busy anyway is not held up by its launches.
bool ReplayDenies(const Fact* gain, const TracePolicy& policy) {
  return gain != nullptr && gain->Number() < policy.share;
}

std::optional<Finding> Judge(TraceView& view, const TracePolicy& policy) {
  const Fact* sure = view.Need(FactId::kStepDispatchSure);
  const Fact* dispatch = view.Need(FactId::kStepDispatch);
  if (sure == nullptr || dispatch == nullptr) return std::nullopt;
  const Fact* gain = view.Look(FactId::kGainLaunches);
  if (sure->interval.low < policy.share || ReplayDenies(gain, policy)) return std::nullopt;
  Finding finding = view.Make(kId);
  // How much of the host's time is the profiler's is not in the trace.
  if (sure->interval.low < policy.dominates)
    finding.confidence = std::min(finding.confidence, Confidence::kMedium);
  const double high = gain == nullptr ? 0 : gain->Number();
  finding.cost = TimelineCost(sure->interval.low, dispatch->Number(), high);
  const Fact* tiny = view.Look(FactId::kTraceTiny);
  CiteAll(finding, {dispatch, sure, view.Look(FactId::kStepGaps), tiny,
                    view.Look(FactId::kTraceLaunchLatency), gain});
  finding.title = _("The device waits for the host to launch its work");
  finding.meaning = Format(_("For {} of the step the device has nothing to do because the host is "
                             "still on its way to the next launch; its queue is empty. Had the "
                             "profiler doubled the host's time, {} would be left."),
                           PercentText(dispatch->Number()), PercentText(sure->Number()));
  if (tiny != nullptr) {
    finding.meaning += Format(_(" {} of the kernels take under 10 us, about as long as a launch."),
                              PercentText(tiny->Number()));
  }
  finding.decision = _("Launch less often, or let the device run ahead of the host.");
  finding.fix =
      _("Fuse small operations (torch.compile, fused optimizers), launch whole steps as "
        "CUDA graphs, or give each step more work. Measure the step without the "
        "profiler, too: it makes the host slower.");
  return finding;
}

}  // namespace

RuleResult StepLaunchBound(const FactSet& facts, const Policy& policy) {
  return ForTraces(facts, kId, [&](TraceView& view) { return Judge(view, policy.trace); });
}

}  // namespace gpuwhy::traced
