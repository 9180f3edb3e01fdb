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

constexpr std::string_view kId = "step.unexplained";

double ShareOf(const TraceView& view, FactId id) {
  const Fact* share = view.Look(id);
  return share == nullptr ? 0 : share->Number();
}

constexpr double kWorthSaying = 0.01;

// Where the host stood is known for a stall, and what is known is not called unexplained.
std::string TitleOf(double stall, double unexplained) {
  if (stall < kWorthSaying) {
    return Format(_("The device idles for {} of the step and the trace does not say why"),
                  PercentText(std::min(unexplained, 1.0)));
  }
  if (unexplained < kWorthSaying) {
    return Format(_("The device waits for {} of the step for the host, which stands in long events "
                    "of its own"),
                  PercentText(std::min(stall, 1.0)));
  }
  return Format(_("The device idles for {} of the step: {} while the host stands in long events of "
                  "its own, {} for reasons that the trace does not say"),
                PercentText(std::min(stall + unexplained, 1.0)), PercentText(stall),
                PercentText(unexplained));
}

std::optional<Finding> Judge(TraceView& view, const TracePolicy& policy) {
  const double low = view.Low(FactId::kStepUnexplained) + view.Low(FactId::kStepQueued) +
                     view.Low(FactId::kStepStall);
  if (low < policy.share) return std::nullopt;
  Finding finding = view.Make(kId);
  finding.severity = Severity::kInfo;
  CiteAll(finding, {view.Look(FactId::kStepUnexplained), view.Look(FactId::kStepQueued),
                    view.Look(FactId::kStepStall)});
  // Decided by the low ends, told by the shares: those add up with the rest of the step.
  const double unknown = ShareOf(view, FactId::kStepUnexplained);
  const double queued = ShareOf(view, FactId::kStepQueued);
  const double stall = ShareOf(view, FactId::kStepStall);
  finding.title = TitleOf(stall, unknown + queued);
  if (queued >= kWorthSaying) {
    finding.meaning += Format(_("{}: the next work had been launched, so the host is not to blame; "
                                "the device waited for another stream, a peer or the host. "),
                              PercentText(queued));
  }
  if (stall >= kWorthSaying) {
    const std::string event = view.Text(FactId::kStepStallEvent);
    finding.meaning += Format(_("{}: the host stood in one recorded event for over a millisecond "
                                "(the longest: {}); what held it up there was not recorded. "),
                              PercentText(stall), event.empty() ? _("unnamed") : event);
  }
  if (unknown >= kWorthSaying) {
    finding.meaning += Format(_("{}: the trace holds nothing of the host for over a millisecond. "),
                              PercentText(unknown));
  }
  finding.decision = _("Record what is missing.");
  finding.fix =
      _("Profile with with_stack=True, with host activities, and with ranges around the "
        "phases of the step; for waits between streams, record cuda_sync events.");
  return finding;
}

}  // namespace

RuleResult StepUnexplained(const FactSet& facts, const Policy& policy) {
  return ForTraces(facts, kId, [&](TraceView& view) { return Judge(view, policy.trace); });
}

}  // namespace gpuwhy::traced
