#include "diagnose/rules/step_log.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

// Shares of the step from which a part is named. Sources: xprof calls 5 % of input moderate and
// 20 % high, TraceML warns from 10 %; collectives are a topic from 30 % (xprof).
constexpr double kInputShare = 0.10;
constexpr double kComputeShare = 0.75;
constexpr double kOptimizerShare = 0.35;
constexpr double kCommShare = 0.30;
constexpr double kPipelineShare = 0.15;
constexpr double kEvaluationShare = 0.25;
// Kernel time over CPU time: under a third the host can't keep the device busy, from 0.8 the
// device is what the CPU waits for.
constexpr double kDeviceIdle = 0.33;
constexpr double kDeviceBusy = 0.80;

struct Claim {
  std::string_view id;
  const char *title, *meaning, *decision, *fix;
};

Finding Make(const Claim& claim, const Fact& share, Confidence confidence) {
  Finding finding;
  finding.id = std::string(claim.id);
  finding.subject = share.subject;
  finding.confidence = confidence;
  finding.evidence.push_back(Cite(share));
  finding.title = Format(Tr(claim.title), Percent(share.Number()));
  finding.meaning = Tr(claim.meaning);
  finding.decision = Tr(claim.decision);
  finding.fix = Tr(claim.fix);
  finding.verify = "gpuwhy diagnose --duration 30";
  return finding;
}

/// Facts of the same input that show it.
void CiteOf(const FactSet& facts, const Subject& subject, std::initializer_list<FactId> ids,
            Finding& finding) {
  constexpr std::size_t kMost = 12;
  for (const Fact* fact : AllOf(facts, ids)) {
    if (fact->subject == subject && finding.evidence.size() < kMost)
      finding.evidence.push_back(Cite(*fact));
  }
}

/// The step gets shorter by what it waits, at most: part of it may only move elsewhere.
Cost RatioCost(double share) {
  const double most = std::clamp(share, 0.0, 0.99);
  return Cost{most, most / 2, most, CostBasis::kRatio};
}

/// How often the log or table says it.
Confidence BySteps(const Fact& share) {
  if (share.stat.n >= 8) return Confidence::kHigh;
  return share.stat.n >= 2 ? Confidence::kMedium : Confidence::kLow;
}

std::vector<const Fact*> AtLeast(const FactSet& facts, FactId id, double threshold) {
  std::vector<const Fact*> found;
  for (const Fact* fact : facts.All(id)) {
    if (IsNumber(fact) && fact->Number() >= threshold) found.push_back(fact);
  }
  return found;
}

RuleResult Limits(const Claim& claim, const FactSet& facts, FactId id, double threshold) {
  RuleResult result;
  for (const Fact* share : AtLeast(facts, id, threshold)) {
    Finding finding = Make(claim, *share, BySteps(*share));
    finding.bound = std::clamp(share->Number(), 0.0, 1.0);
    finding.severity = Severity::kInfo;
    CiteOf(facts, share->subject, {FactId::kLogPhasesLine, FactId::kLogLine}, finding);
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace

RuleResult StepInputBound(const FactSet& facts, const Policy& /*policy*/) {
  static constexpr Claim kClaim{
      "step.input-bound", N_("{} of the step is spent waiting for data"),
      N_("The training loop stands still until its next batch is there; the GPU has nothing to do "
         "meanwhile."),
      N_("Mend the input before touching the model or buying a faster GPU."),
      N_("Find out what the loader's workers do (gpuwhy while the job runs names storage, CPU or "
         "quota), then add workers and prefetch, move the data nearer, or do less work a sample.")};
  RuleResult result;
  for (const Fact* share : AtLeast(facts, FactId::kLogDataShare, kInputShare)) {
    Finding finding = Make(kClaim, *share, BySteps(*share));
    finding.cost = RatioCost(share->Number());
    CiteOf(facts, share->subject,
           {FactId::kLogDataTime, FactId::kLogMeansLine, FactId::kLogDataLine,
            FactId::kLogSlowestLine, FactId::kLogStepTime},
           finding);
    result.findings.push_back(std::move(finding));
  }
  for (const Fact* share : AtLeast(facts, FactId::kProfileLoaderShare, kInputShare)) {
    Finding finding = Make(kClaim, *share, Confidence::kHigh);
    finding.cost = RatioCost(share->Number());
    CiteOf(facts, share->subject, {FactId::kProfileLine}, finding);
    result.findings.push_back(std::move(finding));
  }
  return result;
}

RuleResult LogTooFewWorkers(const FactSet& facts, const Policy& policy) {
  constexpr StatedClaim kClaim{
      "input.too-few-workers",
      Severity::kWarning,
      Confidence::kMedium,
      N_("The loader works without helpers while the step waits for it"),
      N_("Batches are made by the training process itself or by one worker, so loading and "
         "computing can't overlap enough."),
      N_("Give the loader workers."),
      N_("Start with as many workers as free cores (num_workers, nThreads), with persistent "
         "workers and a prefetch of 2 or more."),
      ""};
  // Without a wait it is no fault that nobody helps.
  const RuleResult input = StepInputBound(facts, policy);
  if (input.findings.empty()) return {};
  RuleResult result = Stated(kClaim, AllOf(facts, {FactId::kSaidLoaderWorkersFew}));
  for (Finding& finding : result.findings) {
    finding.subject = input.findings.front().subject;
    finding.cost = input.findings.front().cost;
    finding.cost->low = 0;
  }
  return result;
}

RuleResult StepComputeBound(const FactSet& facts, const Policy& /*policy*/) {
  static constexpr Claim kClaim{
      "step.compute-bound", N_("{} of the step is computing: forward and backward"),
      N_("Data is there in time and the step is the model's own work."),
      N_("Nothing is wrong; to go faster, make the work itself cheaper."),
      N_("Mixed precision, fused kernels or compilation, a faster GPU, or more of them.")};
  RuleResult result = Limits(kClaim, facts, FactId::kLogComputeShare, kComputeShare);
  std::erase_if(result.findings, [&](const Finding& finding) {
    const Reading<double> data = facts.Number(FactId::kLogDataShare, finding.subject);
    return data && *data >= kInputShare;
  });
  static constexpr Claim kProfile{
      "step.compute-bound", N_("The kernels fill {} of the profiled CPU time"),
      N_("The device works nearly all of the time that was profiled: the CPU waits for it."),
      N_("Nothing is wrong; to go faster, make the work itself cheaper."),
      N_("Mixed precision, fused kernels or compilation, a faster GPU, or more of them.")};
  for (const Fact* share : AtLeast(facts, FactId::kProfileDeviceShare, kDeviceBusy)) {
    Finding finding = Make(kProfile, *share, Confidence::kMedium);
    finding.bound = std::clamp(share->Number(), 0.0, 1.0);
    finding.severity = Severity::kInfo;
    CiteOf(facts, share->subject, {FactId::kProfileDeviceTime, FactId::kProfileLine}, finding);
    result.findings.push_back(std::move(finding));
  }
  return result;
}

RuleResult StepOptimizerBound(const FactSet& facts, const Policy& /*policy*/) {
  static constexpr Claim kClaim{
      "step.optimizer-bound", N_("{} of the step is the optimizer"),
      N_("The update takes longer than the model's own work deserves: mostly because it runs on "
         "the CPU, or on few threads of it."),
      N_("Speed up the optimizer before the model."),
      N_("Keep it on the GPU where memory allows, use a fused one; with offload give it threads "
         "(OMP_NUM_THREADS) and a CPU Adam built for this processor.")};
  return Limits(kClaim, facts, FactId::kLogOptimizerShare, kOptimizerShare);
}

RuleResult ScalingCommBound(const FactSet& facts, const Policy& /*policy*/) {
  static constexpr Claim kClaim{
      "scaling.comm-bound", N_("{} of the step is spent in collectives that nothing hides"),
      N_("The log times the collectives by themselves: computing stands still meanwhile. A rank "
         "that comes late makes them look long as well."),
      N_("Measure the collective alone at this message size, then decide between network and "
         "stragglers."),
      N_("nccl-tests on the same nodes tells what the network gives. Overlap the reduction with "
         "backward, use larger buckets, or accumulate gradients over more micro-batches.")};
  return Limits(kClaim, facts, FactId::kLogCommShare, kCommShare);
}

RuleResult ScalingPipelineWait(const FactSet& facts, const Policy& /*policy*/) {
  static constexpr Claim kClaim{"scaling.pipeline-wait",
                                N_("{} of the step is a wait for another pipeline stage"),
                                N_("This stage has nothing to do until its neighbour sends: the "
                                   "bubble of the pipeline, or stages of unequal work."),
                                N_("Balance the stages or use more micro-batches."),
                                N_("More micro-batches a step, an interleaved schedule, fewer "
                                   "stages, or layers moved between them.")};
  return Limits(kClaim, facts, FactId::kLogPipelineShare, kPipelineShare);
}

RuleResult StepLaunchBound(const FactSet& facts, const Policy& /*policy*/) {
  static constexpr Claim kClaim{
      "step.launch-bound", N_("The kernels fill only {} of the profiled CPU time"),
      N_("The host spends its time on starting work, and the device runs out of it."),
      N_("Make fewer and larger launches."),
      N_("CUDA graphs or torch.compile, a larger batch, fused operations; keep Python and .item() "
         "out of the inner loop.")};
  RuleResult result;
  for (const Fact* share : facts.All(FactId::kProfileDeviceShare)) {
    if (!IsNumber(share) || share->Number() > kDeviceIdle) continue;
    // A profile whose time is the loader's says nothing of launches.
    if (facts.Find(FactId::kProfileLoaderShare, share->subject) != nullptr ||
        facts.Find(FactId::kProfileUnexplained, share->subject) != nullptr)
      continue;
    Finding finding = Make(kClaim, *share, Confidence::kMedium);
    finding.cost = RatioCost(1 - share->Number());
    finding.cost->low = 0;
    CiteOf(facts, share->subject, {FactId::kProfileDeviceTime, FactId::kProfileLine}, finding);
    result.findings.push_back(std::move(finding));
  }
  return result;
}

RuleResult StepUnexplained(const FactSet& facts, const Policy& /*policy*/) {
  static constexpr Claim kClaim{
      "step.unexplained", N_("{} of the profiled time lies outside everything that was recorded"),
      N_("The step's own row holds time that no operator, loader or annotation in it accounts for: "
         "waiting for data or Python code that is not annotated."),
      N_("Find out what runs there before changing anything."),
      N_("Put record_function around the loader's next() and other parts of the loop, or take "
         "stacks with py-spy while it runs.")};
  RuleResult result;
  for (const Fact* share : AtLeast(facts, FactId::kProfileUnexplained, 0.2)) {
    Finding finding = Make(kClaim, *share, Confidence::kMedium);
    CiteOf(facts, share->subject, {FactId::kProfileLine}, finding);
    finding.severity = Severity::kInfo;
    result.unknowns.push_back(
        {_("what the profiled step spends its own time on"),
         _("no operator, loader row or annotation covers it"),
         _("put record_function around the parts of the loop, or py-spy record while it runs"),
         {"step.unexplained"}});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

RuleResult StepContainsOtherPhase(const FactSet& facts, const Policy& /*policy*/) {
  static constexpr Claim kClaim{
      "step.contains-other-phase", N_("{} of the printed step is validation or a checkpoint"),
      N_("The figure holds more than a training step, so it can't be compared with others."),
      N_("Judge the steps without that phase."),
      N_("Leave lines with validation or a checkpoint out when comparing step times.")};
  RuleResult result;
  for (const Fact* share : AtLeast(facts, FactId::kLogEvaluationShare, kEvaluationShare)) {
    Finding finding = Make(kClaim, *share, Confidence::kHigh);
    finding.severity = Severity::kInfo;
    CiteOf(facts, share->subject, {FactId::kLogPhasesLine}, finding);
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
