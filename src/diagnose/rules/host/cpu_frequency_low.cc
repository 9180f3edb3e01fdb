#include <optional>
#include <utility>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/rules/host/host_rules.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "cpu.frequency-low";

/// What full clocks would give back: computing takes time in proportion to the clock, and only what
/// the loaders compute while the consumer waits counts.
std::optional<Cost> CostOf(const FactSet& facts, double limit) {
  if (facts.jobs.empty()) return std::nullopt;
  const Fact* gain = facts.Find(FactId::kGainCpuWork, facts.jobs.front().subject);
  if (!IsNumber(gain)) return std::nullopt;
  Cost cost = LawCost(*gain);
  cost.basis = CostBasis::kRatio;
  cost.share *= 1 - limit;
  cost.low *= 1 - limit;
  cost.high *= 1 - limit;
  return cost;
}

}  // namespace

RuleResult CpuFrequencyLow(const FactSet& facts, const Policy& policy) {
  const Fact* limit = facts.Find(FactId::kHostClockLimit, Subject{});
  if (!IsNumber(limit) || limit->Number() >= policy.cpu.clock_limit) return {};
  // Where a job is watched it must be seen to compute; a node by itself is only told of it.
  const std::optional<Cost> cost = CostOf(facts, limit->Number());
  if (!cost && !facts.node_only) return {};
  if (cost && cost->high <= 0) return {};
  Finding finding;
  finding.id = std::string(kId);
  finding.severity = cost ? Severity::kWarning : Severity::kInfo;
  finding.confidence = Confidence::kMedium;
  finding.cost = cost;
  finding.evidence = {Cite(*limit)};
  CiteAll(finding, AllOf(facts, {FactId::kHostGovernor, FactId::kHostCpuModel}));
  if (cost) CiteAll(finding, {facts.Find(FactId::kGainCpuWork, facts.jobs.front().subject)});
  finding.title = _("A setting holds the clocks of the host's cores down");
  finding.meaning =
      Format(_("The settings let a core run at {:.0f} % of its highest clock at most. Loaders that "
               "compute, and the thread that launches kernels, take longer by as much."),
             limit->Number() * 100);
  finding.decision = _("Find out who set the limit: a power profile, tuned, or the firmware.");
  finding.fix =
      _("cpupower frequency-info shows the limits; cpupower frequency-set --max with the highest "
        "clock lifts them, and tuned-adm profile throughput-performance keeps it so.");
  finding.verify = "grep . " + ShellQuote(limit->provenance.source);
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
