#include <algorithm>

#include "base/i18n.h"
#include "diagnose/rules/host/host_rules.h"
#include "diagnose/rules/host/host_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

/// Where no tool told how much memory there is.
constexpr double kMuch = 1024.0 * 1024 * 1024;

}  // namespace

RuleResult HostSwapInUse(const FactSet& facts, const Policy& policy) {
  static constexpr StatedClaim kClaim{
      "host.swap-in-use",
      Severity::kInfo,
      Confidence::kMedium,
      N_("Memory lies in swap, and none moves"),
      N_("Pages were put there at some time. As long as nobody asks for them it costs nothing."),
      N_("No reason for a slow job now; a warning that memory was short once."),
      N_("Watch the columns si and so of vmstat while the job runs."),
      "vmstat 5 6"};
  if (!facts.pasted) return {};
  double much = kMuch;
  for (const Fact* total : NumbersOf(facts, FactId::kHostMemoryTotal))
    much = policy.host.swap_used * total->Number();
  const std::vector<const Fact*> used = NumbersOf(facts, FactId::kHostSwapUsed);
  const auto lies = std::find_if(used.begin(), used.end(), [&](const Fact* fact) {
    return fact->Number() >= much && fact->Number() > 0;
  });
  if (lies == used.end()) return {};
  std::vector<const Fact*> traffic = NumbersOf(facts, FactId::kHostSwapIn);
  if (traffic.empty()) {
    return HostCantTell("host.swap-in-use", _("whether pages move between memory and swap"),
                        _("the outputs only show how much lies there"),
                        _("vmstat 5 4 while the job runs: columns si and so, from the second line "
                          "on"));
  }
  for (const Fact* fact : NumbersOf(facts, FactId::kHostSwapOut)) traffic.push_back(fact);
  const bool moves = std::any_of(traffic.begin(), traffic.end(), [](const Fact* rate) {
    constexpr double kStray = 64.0 * 1024;  // a page now and then, bytes per second
    return rate->interval.high >= kStray;
  });
  if (moves) return {};
  std::vector<const Fact*> evidence{*lies};
  evidence.insert(evidence.end(), traffic.begin(), traffic.end());
  return Stated(kClaim, evidence);
}

}  // namespace gpuwhy
