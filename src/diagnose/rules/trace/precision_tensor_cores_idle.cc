#include <optional>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/trace/trace_rules.h"
#include "diagnose/rules/trace/trace_view.h"

namespace gpuwhy::traced {
namespace {

constexpr std::string_view kId = "precision.tensor-cores-idle";

std::optional<Finding> Judge(TraceView& view, const TracePolicy& policy) {
  const Fact* plain = view.Need(FactId::kStepPlainHalf);
  if (plain == nullptr || plain->interval.low < policy.share) return std::nullopt;
  Finding finding = view.Make(kId);
  // Tensor cores do 4 times the half-precision products of the other cores on Volta and Ampere, 8
  // and more later. Where memory is the limit, less: at least twice.
  constexpr double kSlowest = 1.0 / 2;
  constexpr double kUsual = 1.0 / 4;
  constexpr double kFastest = 1.0 / 8;
  finding.cost = TimelineCost(plain->interval.low * (1 - kSlowest), plain->Number() * (1 - kUsual),
                              plain->Number() * (1 - kFastest));
  finding.cost->basis = CostBasis::kRatio;
  CiteAll(finding, {plain, view.Look(FactId::kStepCompute)});
  finding.title = _("Half-precision products do not run on the tensor cores");
  finding.meaning = Format(_("{} of the step are matrix products in half precision whose kernels "
                             "use the ordinary cores."),
                           PercentText(plain->Number()));
  finding.decision = _("Make the fast path run.");
  finding.fix =
      _("Make the sizes of the products (channels, vocabulary, batch) multiples of 8, "
        "align the tensors to 16 bytes, and use a library that knows the device.");
  return finding;
}

}  // namespace

RuleResult PrecisionTensorCoresIdle(const FactSet& facts, const Policy& policy) {
  return ForTraces(facts, kId, [&](TraceView& view) { return Judge(view, policy.trace); });
}

}  // namespace gpuwhy::traced
