#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.waiting";
constexpr Wording kWording = {
    N_("The GPU waits for most of the time"),
    N_("A job holds its memory, but kernels ran for less than half of the time."),
    N_("Something else feeds it too slowly; its own figures do not show what."),
    N_("Look at the loaders, the CPUs and the storage while the job runs."),
    "gpuwhy diagnose --pid PID"};

/// The load lies where a job is there and something else feeds it too slowly.
bool IsPartLoad(double load, const GpuPolicy& policy) {
  return load >= policy.waiting_from && load < policy.waiting_to;
}

bool IsNoEvidence(const GpuMoment& gpu, double load, const FactSet& facts) {
  const Fact* engine = gpu.BusiestEngine();
  if (engine != nullptr && engine->Number() > load) return true;
  return gpu.IsOn(FactId::kGpuDisplay) || IsMig(gpu, facts);
}

Finding Waiting(const GpuMoment& gpu) {
  Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
  finding.severity = Severity::kInfo;
  finding.confidence = Confidence::kMedium;
  CiteMoment(finding, gpu,
             {FactId::kGpuUtilization, FactId::kGpuSmClock, FactId::kGpuPower,
              FactId::kGpuMemoryUsed, FactId::kGpuPcieRx, FactId::kGpuMemoryUtilization});
  return finding;
}

/// Rows of one output are judged by their mean: between two of them it may have computed. That
/// kernels ran at all shows that a job is there, whether or not its memory was printed.
void AddFromRows(const std::vector<GpuMoment>& moments, const FactSet& facts,
                 const GpuPolicy& policy, RuleResult& result) {
  std::vector<Subject> done;
  for (const GpuMoment& gpu : moments) {
    const Fact* load = SeriesLoad(facts, gpu);
    if (load == nullptr || !IsPartLoad(load->Number(), policy)) continue;
    if (std::find(done.begin(), done.end(), gpu.Of()) != done.end()) continue;
    const bool denied = std::any_of(moments.begin(), moments.end(), [&](const GpuMoment& one) {
      return one.Of() == gpu.Of() && IsNoEvidence(one, load->Number(), facts);
    });
    const std::optional<double> used = gpu.Number(FactId::kGpuMemoryUsed);
    if (denied || (used && *used < policy.held_memory)) continue;
    done.push_back(gpu.Of());
    Finding finding = Waiting(gpu);
    finding.evidence.insert(finding.evidence.begin(), Cite(*load));
    result.findings.push_back(std::move(finding));
  }
}

}  // namespace

RuleResult GpuWaiting(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  const std::vector<GpuMoment> moments = GpuMoments(facts);
  for (const GpuMoment& gpu : moments) {
    if (SeriesLoad(facts, gpu) != nullptr) continue;
    const std::optional<double> load = gpu.Number(FactId::kGpuUtilization);
    if (!load || !IsPartLoad(*load, policy.gpu) || IsNoEvidence(gpu, *load, facts)) continue;
    if (gpu.Number(FactId::kGpuMemoryUsed).value_or(0) < policy.gpu.held_memory) continue;
    result.findings.push_back(Waiting(gpu));
  }
  AddFromRows(moments, facts, policy.gpu, result);
  return result;
}

}  // namespace gpuwhy
