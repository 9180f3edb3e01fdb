#include <optional>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/trace/trace_rules.h"
#include "diagnose/rules/trace/trace_view.h"

namespace gpuwhy::traced {
namespace {

constexpr std::string_view kId = "scaling.uneven-work";

std::optional<Finding> Judge(TraceView& view, const TracePolicy& policy) {
  const Fact* alone = view.Look(FactId::kRankLateAlone);
  if (alone == nullptr || view.Text(FactId::kRankReason) != "more-work") return std::nullopt;
  const Fact* kernels = view.Need(FactId::kRankKernels);
  if (kernels == nullptr || kernels->Number() <= 1 + policy.uneven) return std::nullopt;
  const Fact* spared = view.Look(FactId::kRankSpared);
  Finding finding = view.Make(kId);
  finding.cost =
      TimelineCost(alone->interval.low, alone->Number(), spared == nullptr ? 0 : spared->Number());
  CiteAll(finding, {kernels, alone, spared, view.Look(FactId::kRankExcess)});
  finding.title = Format(_("Rank {} is given more work than the others"), view.About().id);
  finding.meaning = Format(_("It runs {:.2f} times as many kernels as the median rank, and the "
                             "others wait for it. Its host and device are not slow."),
                           kernels->Number());
  finding.decision = _("Balance the work before looking at any host.");
  finding.fix = _("Pack or sort sequences by length, balance experts, cut pipeline stages anew.");
  return finding;
}

}  // namespace

RuleResult ScalingUnevenWork(const FactSet& facts, const Policy& policy) {
  return ForTraces(facts, kId, [&](TraceView& view) { return Judge(view, policy.trace); });
}

}  // namespace gpuwhy::traced
