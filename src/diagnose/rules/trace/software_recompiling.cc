#include <optional>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/trace/trace_rules.h"
#include "diagnose/rules/trace/trace_view.h"

namespace gpuwhy::traced {
namespace {

constexpr std::string_view kId = "software.recompiling";

std::optional<Finding> Judge(TraceView& view, const TracePolicy& policy) {
  constexpr std::uint64_t kFewestSteps = 3;
  constexpr double kAgainAndAgain = 0.5;
  const Fact* compile = view.Need(FactId::kStepCompile);
  if (compile == nullptr || compile->interval.low < policy.share) return std::nullopt;
  const Fact* steps = view.Need(FactId::kStepCompileSteps);
  if (steps == nullptr || compile->stat.n < kFewestSteps || steps->Number() < kAgainAndAgain)
    return std::nullopt;
  Finding finding = view.Make(kId);
  finding.cost = TimelineCost(compile->interval.low, compile->Number(), compile->Number());
  CiteAll(finding, {compile, steps});
  finding.title = _("Kernels are compiled or loaded again and again");
  finding.meaning = Format(_("In {} of the measured steps the device waits while the host compiles "
                             "or loads kernels, {} of the time."),
                           PercentText(steps->Number()), PercentText(compile->Number()));
  finding.decision = _("Stop the recompiling.");
  finding.fix =
      _("Run once with TORCH_LOGS=recompiles: it names the guard that fails. Pad to a few "
        "shapes, or mark the dimension as dynamic.");
  return finding;
}

}  // namespace

RuleResult SoftwareRecompiling(const FactSet& facts, const Policy& policy) {
  return ForTraces(facts, kId, [&](TraceView& view) { return Judge(view, policy.trace); });
}

}  // namespace gpuwhy::traced
