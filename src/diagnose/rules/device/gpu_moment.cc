#include "diagnose/rules/device/gpu_moment.h"

#include <algorithm>
#include <map>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {

const Fact* GpuMoment::Look(FactId id) const {
  for (const Fact* fact : facts_) {
    if (fact->id == id && fact->value) return fact;
  }
  return nullptr;
}

std::optional<double> GpuMoment::Number(FactId id) const {
  const Fact* fact = Look(id);
  if (!IsNumber(fact)) return std::nullopt;
  return fact->Number();
}

std::optional<bool> GpuMoment::Flag(FactId id) const {
  const Fact* fact = Look(id);
  if (fact == nullptr) return std::nullopt;
  const bool* flag = std::get_if<bool>(&*fact->value);
  return flag == nullptr ? std::nullopt : std::optional<bool>(*flag);
}

std::string GpuMoment::Text(FactId id) const {
  const Fact* fact = Look(id);
  if (fact == nullptr) return {};
  const std::string* text = std::get_if<std::string>(&*fact->value);
  return text == nullptr ? std::string{} : *text;
}

std::optional<bool> GpuMoment::IsBusy(const GpuPolicy& policy) const {
  const std::optional<double> utilization = Number(FactId::kGpuUtilization);
  if (!utilization) return std::nullopt;
  return *utilization >= policy.busy && !HasStaleUtilization(policy);
}

bool GpuMoment::IsIdle(const GpuPolicy& policy) const {
  const Fact* engine = BusiestEngine();
  if (engine != nullptr && engine->Number() > policy.idle) return false;
  const std::optional<double> utilization = Number(FactId::kGpuUtilization);
  if (utilization && !HasStaleUtilization(policy)) return *utilization <= policy.idle;
  if (utilization || IsOn(FactId::kGpuReasonIdle)) return true;
  return PerformanceState().value_or(0) >= 5;
}

bool GpuMoment::IsUnreadable(FactId id) const {
  return std::any_of(facts_.begin(), facts_.end(), [&](const Fact* fact) {
    return fact->id == id && !fact->value && fact->value.missing().why == Why::kFailed;
  });
}

std::optional<int> GpuMoment::PerformanceState() const {
  const std::string state = Text(FactId::kGpuPstate);
  if (state.empty() || state.front() != 'P') return std::nullopt;
  return ParseNumber<int>(std::string_view(state).substr(1));
}

const Fact* GpuMoment::BusiestEngine() const {
  const Fact* busiest = nullptr;
  for (const FactId id :
       {FactId::kGpuEncoder, FactId::kGpuDecoder, FactId::kGpuJpeg, FactId::kGpuOpticalFlow}) {
    const Fact* fact = Look(id);
    if (!IsNumber(fact)) continue;
    if (busiest == nullptr || fact->Number() > busiest->Number()) busiest = fact;
  }
  return busiest;
}

std::optional<double> GpuMoment::PowerShare() const {
  const std::optional<double> power = Number(FactId::kGpuPower);
  const std::optional<double> limit = Number(FactId::kGpuPowerLimit);
  if (!power || !limit || *limit <= 0) return std::nullopt;
  return *power / *limit;
}

bool GpuMoment::HasStaleUtilization(const GpuPolicy& policy) const {
  const std::optional<double> utilization = Number(FactId::kGpuUtilization);
  if (!utilization || *utilization < policy.busy) return false;
  if (Number(FactId::kGpuComputeProcesses).value_or(0) > 0) return false;
  // No kernel runs without a context, and a context takes memory.
  const std::optional<double> used = Number(FactId::kGpuMemoryUsed);
  return used && *used < policy.context_memory;
}

std::vector<GpuMoment> GpuMoments(const FactSet& facts) {
  std::vector<GpuMoment> moments;
  std::map<std::pair<Subject, Scope>, std::size_t> known;
  for (const Fact& fact : facts.facts()) {
    if (fact.subject.kind != SubjectKind::kGpu) continue;
    const auto [at, added] = known.try_emplace({fact.subject, fact.scope}, moments.size());
    if (added) moments.emplace_back(fact);
    moments[at->second].Add(fact);
  }
  return moments;
}

Finding DeviceFinding(std::string_view id, const Subject& subject, const Wording& wording) {
  Finding finding;
  finding.id = std::string(id);
  finding.subject = subject;
  finding.title = Tr(wording.title);
  finding.meaning = Tr(wording.meaning);
  finding.decision = Tr(wording.decision);
  finding.fix = Tr(wording.fix);
  finding.verify = wording.verify;
  return finding;
}

void CiteMoment(Finding& finding, const GpuMoment& moment, const std::vector<FactId>& ids) {
  for (const FactId id : ids) {
    if (const Fact* fact = moment.Look(id)) finding.evidence.push_back(Cite(*fact));
  }
}

}  // namespace gpuwhy
