#include <algorithm>
#include <optional>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/trace/trace_rules.h"
#include "diagnose/rules/trace/trace_view.h"

namespace gpuwhy::traced {
namespace {

constexpr std::string_view kId = "input.pageable-memory";

// What the rates of this trace say about pinning alone; 0 where they say nothing.
double SavedByRate(const Fact* pageable, const Fact* pinned) {
  if (pageable == nullptr || pinned == nullptr || pinned->Number() <= 0) return 0;
  return std::clamp(1 - pageable->Number() / pinned->Number(), 0.0, 1.0);
}

std::optional<Finding> Judge(TraceView& view, const TracePolicy& policy) {
  const Fact* exposed = view.Need(FactId::kStepPageable);
  if (exposed == nullptr || exposed->interval.low < policy.pageable) return std::nullopt;
  const Fact* pageable = view.Look(FactId::kTracePageableRate);
  const Fact* pinned = view.Look(FactId::kTracePinnedRate);
  const Fact* gain = view.Look(FactId::kGainCopies);
  const double share =
      gain == nullptr ? exposed->Number() : std::min(exposed->Number(), gain->Number());
  Finding finding = view.Make(kId);
  finding.cost =
      TimelineCost(exposed->interval.low * SavedByRate(pageable, pinned), share, exposed->Number());
  CiteAll(finding, {exposed, pageable, pinned, gain});
  finding.title = _("Batches are copied to the device from pageable memory");
  finding.meaning = Format(_("{} of the step are copies to the device from pageable memory that "
                             "nothing hides. Such a copy is staged by the driver and holds the "
                             "host until it is done, whatever it is called."),
                           PercentText(exposed->Number()));
  finding.decision = _("Copy from pinned memory.");
  finding.fix =
      _("DataLoader(pin_memory=True) and .to(device, non_blocking=True). Pin the "
        "batches, not the whole data set: pinned memory is taken from the host.");
  return finding;
}

}  // namespace

RuleResult InputPageableMemory(const FactSet& facts, const Policy& policy) {
  return ForTraces(facts, kId, [&](TraceView& view) { return Judge(view, policy.trace); });
}

}  // namespace gpuwhy::traced
