#include "diagnose/rules/quota_state.h"

namespace gpuwhy {
namespace {

bool SaysThereIsNone(const Fact* fact) {
  return fact != nullptr && !fact->value.has() && fact->value.missing().why == Why::kNotPresent;
}

bool NoQuota(const RuleView& view) {
  const FactSet& facts = view.Facts();
  if (SaysThereIsNone(facts.Find(FactId::kJobCoresQuota, view.Job().subject))) return true;
  const std::vector<const Fact*> all = facts.All(FactId::kCgroupThrottled);
  for (const Fact* fact : all) {
    if (!SaysThereIsNone(fact)) return false;
  }
  return !all.empty();
}

}  // namespace

QuotaState LookAtQuota(RuleView& view, const CpuPolicy& policy) {
  QuotaState state;
  for (const Fact* fact : view.Facts().All(FactId::kCgroupThrottled)) {
    if (!IsNumber(fact)) continue;
    if (state.throttled == nullptr || fact->interval.low > state.throttled->interval.low) {
      state.throttled = fact;
    }
  }
  if (state.throttled == nullptr) {
    if (NoQuota(view)) {
      state.level = QuotaLevel::kNone;
      return state;
    }
    const std::vector<const Fact*> all = view.Facts().All(FactId::kCgroupThrottled);
    view.Note(FactId::kCgroupThrottled,
              all.empty() ? Missing{Why::kNotSampled, {}} : all.front()->value.missing());
    return state;
  }
  const Fact* periods = view.Facts().Find(FactId::kCgroupPeriods, state.throttled->subject);
  // A share of no periods says nothing.
  if (!IsNumber(periods) || periods->Number() <= 0) {
    const bool read = periods == nullptr || periods->value.has();
    view.Note(FactId::kCgroupPeriods,
              read ? Missing{Why::kNotSampled, {}} : periods->value.missing());
    return state;
  }
  state.periods = periods;
  state.level = state.throttled->interval.low >= policy.throttled_periods ? QuotaLevel::kFull
                                                                          : QuotaLevel::kRoom;
  return state;
}

Reading<double> DelayPerLoader(RuleView& view) {
  const Fact* delay = view.Look(FactId::kFillersDelay);
  const Fact* fillers = view.Look(FactId::kFillers);
  if (delay != nullptr && fillers != nullptr && fillers->Number() >= 1) {
    return delay->Number() / fillers->Number();
  }
  const Fact* of_job = view.Need(FactId::kJobDelay);
  if (of_job == nullptr)
    return view.Facts().Number(FactId::kJobDelay, view.Job().subject).missing();
  return of_job->Number();
}

CoreWait WaitForCores(RuleView& view, const Policy& policy) {
  CoreWait wait;
  wait.consumer = view.Need(FactId::kConsumerWait);
  if (wait.consumer == nullptr) return wait;
  wait.answer = Answer::kNo;
  if (wait.consumer->interval.low < policy.input.starved) return wait;
  const Reading<double> delay = DelayPerLoader(view);
  wait.delay = delay.ValueOr(0);
  wait.answer = !delay                          ? Answer::kUnknown
                : *delay < policy.cpu.min_delay ? Answer::kNo
                                                : Answer::kYes;
  return wait;
}

}  // namespace gpuwhy
