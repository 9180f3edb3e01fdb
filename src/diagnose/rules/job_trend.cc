#include "diagnose/rules/job_trend.h"

#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr double kDrift = 0.15;     ///< medians of thirds; run-to-run noise is about 5 %
constexpr double kJitter = 0.10;    ///< of the time lost in single steps
constexpr double kRateFall = 0.03;  ///< a mean since the start that falls at once by this much
constexpr double kLowestScale =
    1.0;                            ///< FP16 needs a scale over 1: below it the loss is lost itself
constexpr double kPressure = 0.10;  ///< of the time some task waited for memory

/// One claim for every fact of `id` for which `holds`, with lines of the same input.
template <class Holds>
RuleResult Claims(const StatedClaim& claim, const FactSet& facts, FactId id,
                  std::initializer_list<FactId> lines, Holds holds) {
  RuleResult result;
  for (const Fact* fact : facts.All(id)) {
    if (!IsNumber(fact) || !holds(*fact)) continue;
    std::vector<const Fact*> evidence{fact};
    for (const Fact* line : AllOf(facts, lines)) {
      if (line->subject == fact->subject) evidence.push_back(line);
    }
    RuleResult one = Stated(claim, evidence);
    one.findings.front().subject = fact->subject;
    result.findings.push_back(std::move(one.findings.front()));
  }
  return result;
}

}  // namespace

RuleResult JobSlowing(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "job.slowing",
      Severity::kWarning,
      Confidence::kMedium,
      N_("Steps get longer over the log"),
      N_("The last third of the steps is longer than the first, and nearly all of its steps are."),
      N_("Watch what grows with it: memory, log files, temperature, the input."),
      N_("Look at clocks and temperature, host memory and swap, and the wait for data at the start "
         "and at the end."),
      ""};
  return Claims(kClaim, facts, FactId::kLogStepDrift, {FactId::kLogSlowestLine, FactId::kLogLine},
                [](const Fact& f) { return f.Number() >= kDrift; });
}

RuleResult JobJitter(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "job.jitter",
      Severity::kWarning,
      Confidence::kMedium,
      N_("A few slow steps carry the loss"),
      N_("Most steps are even; single ones take many times as long."),
      N_("Look at what happens in the slow ones, not at the mean."),
      N_("Check whether they come at a fixed distance (checkpoint, validation, shard change, "
         "garbage collection) or when others use the storage."),
      ""};
  RuleResult result =
      Claims(kClaim, facts, FactId::kLogStepJitter, {FactId::kLogSlowestLine, FactId::kLogDataLine},
             [](const Fact& f) { return f.Number() >= kJitter; });
  RuleResult hidden = Claims(kClaim, facts, FactId::kLogRateFall, {FactId::kLogRateLine},
                             [](const Fact& f) { return f.Number() >= kRateFall; });
  for (Finding& finding : hidden.findings) {
    finding.meaning =
        _("The printed rate is a mean since the start. That it falls at once means that steps in "
          "between stood still for long.");
    result.findings.push_back(std::move(finding));
  }
  return result;
}

RuleResult MetricCumulative(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "metric.cumulative",
      Severity::kInfo,
      Confidence::kHigh,
      N_("The printed rate is a mean since the start"),
      N_("Its drift is no drift of the job, and a stall shows in it as a small dip."),
      N_("Judge by the time stamps of the lines instead."),
      N_("Print the rate of the last interval."),
      ""};
  return Claims(kClaim, facts, FactId::kLogRateRunningMean,
                {FactId::kLogRateLine, FactId::kLogLine}, [](const Fact& /*f*/) { return true; });
}

RuleResult PrecisionUnstable(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "precision.unstable",
      Severity::kCritical,
      Confidence::kHigh,
      N_("The numbers of the training broke: NaN, or a loss scale that collapsed"),
      N_("Steps go on and train nothing: every one of them is lost."),
      N_("Stop the job and restart from the last good checkpoint."),
      N_("Find the first bad step; try bfloat16 or FP32 for it, a lower learning rate, gradient "
         "clipping, and check the input for NaN (torch.autograd.set_detect_anomaly)."),
      ""};
  RuleResult result =
      Claims(kClaim, facts, FactId::kLogBadLosses, {FactId::kLogBadLine, FactId::kLogLossScale},
             [](const Fact& f) { return f.Number() >= 2; });
  if (!result.findings.empty()) return result;
  RuleResult scale = Claims(kClaim, facts, FactId::kLogLossScale, {FactId::kLogLine},
                            [](const Fact& f) { return f.Number() < kLowestScale; });
  for (Finding& finding : scale.findings) {
    for (const Fact* line : AllOf(facts, {FactId::kSaidScaleLowered}))
      finding.evidence.push_back(Cite(*line));
    result.findings.push_back(std::move(finding));
  }
  return result;
}

RuleResult PrecisionScaleProbing(const FactSet& facts, const Policy& policy) {
  constexpr StatedClaim kClaim{
      "precision.scale-probing",
      Severity::kInfo,
      Confidence::kHigh,
      N_("The loss scaler probes for the largest scale that works"),
      N_("It raises the scale until a step overflows, skips that step and halves it: as designed."),
      N_("Nothing to do."),
      N_("Only a scale that falls without end is a fault."),
      ""};
  if (!PrecisionUnstable(facts, policy).findings.empty()) return {};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidScaleLowered}));
}

RuleResult HostMemoryStep(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "host.memory-step",
      Severity::kInfo,
      Confidence::kMedium,
      N_("Host memory grew, and levels off"),
      N_("Each look finds less growth than the one before: caches and pools fill, nothing leaks "
         "without end."),
      N_("Watch it; do not hunt a leak yet."),
      N_("Take looks over a longer time; a leak grows by the same amount in each."),
      "free -m -s 60"};
  return Claims(kClaim, facts, FactId::kMemoryGrowthLate,
                {FactId::kMemoryGrowth, FactId::kMemoryLine},
                [](const Fact& f) { return f.Number() < 0.5; });
}

RuleResult HostMemoryPressure(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "host.memory-pressure",
      Severity::kWarning,
      Confidence::kHigh,
      N_("Tasks wait for host memory"),
      N_("The kernel reclaims memory while tasks stand still for it."),
      N_("Free host memory before looking at anything else."),
      N_("Fewer loader workers, a smaller prefetch or page-locked pool, or a larger memory limit; "
         "end what else uses memory on this host."),
      "cat /proc/pressure/memory"};
  if (!Has(facts, FactId::kPsiLine)) return {};
  const Reading<double> full = facts.Number(FactId::kPsiMemoryFull, Subject{});
  return Claims(
      kClaim, facts, FactId::kHostPsiMemory, {FactId::kPsiMemoryFull, FactId::kPsiLine},
      [&](const Fact& f) { return f.Number() >= kPressure && full && *full >= kPressure / 2; });
}

}  // namespace gpuwhy
