#include <algorithm>
#include <optional>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/trace/trace_rules.h"
#include "diagnose/rules/trace/trace_view.h"

namespace gpuwhy::traced {
namespace {

constexpr std::string_view kId = "env.launch-blocking";

std::optional<Finding> Judge(TraceView& view, const TracePolicy& policy) {
  const Fact* blocking = view.Look(FactId::kTraceBlocking);
  if (blocking == nullptr || static_cast<double>(blocking->stat.n) < policy.launches ||
      blocking->Number() < policy.blocking)
    return std::nullopt;
  const Fact* idle = view.Need(FactId::kStepIdle);
  if (idle == nullptr) return std::nullopt;
  Finding finding = view.Make(kId);
  // Host and device take turns. Side by side they need the longer of the two.
  const double saved = std::min(idle->Number(), 1 - idle->Number());
  finding.cost = TimelineCost(std::min(idle->interval.low, saved) / 2, saved, saved);
  finding.cost->basis = CostBasis::kLaw;
  CiteAll(finding, {blocking, idle, view.Look(FactId::kStepDispatch)});
  finding.title = _("Every launch waits until its kernel is done");
  finding.meaning = Format(_("{} of the launches return only when their kernel is done: host and "
                             "device take turns."),
                           PercentText(blocking->Number()));
  finding.decision =
      _("Unset CUDA_LAUNCH_BLOCKING (on AMD: AMD_SERIALIZE_KERNEL, "
        "HIP_LAUNCH_BLOCKING).");
  finding.fix = _("It is for debugging only. Look in the job's script, image and site profile.");
  return finding;
}

}  // namespace

RuleResult EnvLaunchBlocking(const FactSet& facts, const Policy& policy) {
  return ForTraces(facts, kId, [&](TraceView& view) { return Judge(view, policy.trace); });
}

}  // namespace gpuwhy::traced
