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

constexpr std::string_view kId = "scaling.straggler";

// The names are those of trace::LateBecause.
std::string Because(const std::string& reason, const Fact* excess) {
  const std::string much = excess == nullptr ? std::string() : PercentText(excess->Number());
  if (reason == "input-wait")
    return Format(_("it waits longer for input than the others, by {} of the time"), much);
  if (reason == "host")
    return Format(_("its host takes longer for the same launches, by {} of the time"), much);
  if (reason == "sync")
    return Format(_("it synchronises longer than the others, by {} of the time"), much);
  if (reason == "copies")
    return Format(_("its copies take longer than those of the others, by {} of the time"), much);
  if (reason == "more-work") return _("it has more kernels to run than the others");
  if (reason == "slow-device") {
    return Format(_("its kernels take longer, by {} of the time: a slower device, or larger inputs "
                    "in as many kernels"),
                  much);
  }
  return _("no part of its time stands out");
}

std::optional<Finding> JudgeOne(const TraceView& view) {
  const Fact* alone = view.Look(FactId::kRankLateAlone);
  if (alone == nullptr) return std::nullopt;
  const Fact* spared = view.Look(FactId::kRankSpared);
  const Fact* excess = view.Look(FactId::kRankExcess);
  const Fact* last = view.Look(FactId::kRankLast);
  Finding finding = view.Make(kId);
  finding.confidence =
      alone->interval.low > 0 && excess != nullptr && excess->Number() >= alone->Number() / 2
          ? Confidence::kHigh
          : Confidence::kMedium;
  finding.cost =
      TimelineCost(alone->interval.low, alone->Number(), spared == nullptr ? 0 : spared->Number());
  CiteAll(finding, {alone, spared, last, excess, view.Look(FactId::kRankResidual)});
  finding.title = Format(_("Rank {} is late and the others wait for it"), view.About().id);
  if (last != nullptr) {
    finding.meaning = Format(_("{} of the collectives wait for it: "), PercentText(last->Number()));
  }
  finding.meaning += Because(view.Text(FactId::kRankReason), excess) + ".";
  finding.decision =
      Format(_("Look at the host of rank {}, not at the ranks that wait."), view.About().id);
  finding.fix =
      _("Run gpuwhy diagnose on that host while the job runs: CPU contention, pinning, "
        "clocks and storage of that rank are seen there.");
  return finding;
}

}  // namespace

RuleResult ScalingStraggler(const FactSet& facts, const Policy& /*policy*/) {
  // One finding a rank: each is mended for itself.
  constexpr std::size_t kMost = 4;
  RuleResult result;
  for (const Fact* reason : facts.All(FactId::kRankReason)) {
    std::optional<Finding> finding = JudgeOne(TraceView(facts, reason->subject));
    if (finding) result.findings.push_back(*std::move(finding));
  }
  std::stable_sort(
      result.findings.begin(), result.findings.end(),
      [](const Finding& a, const Finding& b) { return a.cost->share > b.cost->share; });
  if (result.findings.size() > kMost) result.findings.resize(kMost);
  return result;
}

}  // namespace gpuwhy::traced
