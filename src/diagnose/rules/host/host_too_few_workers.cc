// input.too-few-workers from handed-in text: every loader that is listed fills a core.
#include <algorithm>

#include "base/i18n.h"
#include "diagnose/rules/host/host_rules.h"
#include "diagnose/rules/host/host_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult HostTooFewWorkers(const FactSet& facts, const Policy& policy) {
  static constexpr StatedClaim kClaim{
      "input.too-few-workers",
      Severity::kWarning,
      Confidence::kMedium,
      N_("Every loader worker fills a core, and cores are idle"),
      N_("The loader's workers compute all of the time, other cores have nothing to do, and the "
         "GPU waits for most of the time."),
      N_("Add loader workers before buying faster cores."),
      N_("Raise num_workers (PyTorch) or num_parallel_calls (tf.data) step by step until the GPU "
         "no longer waits or the cores are full."),
      "top -b -d 5 -n 2 | grep -E '%Cpu|pt_data'"};
  if (!facts.pasted) return {};
  constexpr double kAtRest = 0.05;  // cores: keeps an eye on others, makes no batches
  std::vector<const Fact*> evidence;
  for (const ListedProcess& process : ListedProcesses(facts)) {
    if (!process.loader || process.run == nullptr || process.run->Number() < kAtRest) continue;
    if (process.run->Number() < policy.host.thread_busy) return {};
    evidence.push_back(process.run);
  }
  if (evidence.empty()) return {};
  if (LoadOfGpus(facts, policy.gpu) != GpuLoad::kWaiting) return {};
  const std::vector<const Fact*> busy = NumbersOf(facts, FactId::kHostCpuBusy);
  if (busy.empty()) {
    return HostCantTell("input.too-few-workers", Tr(Info(FactId::kHostCpuBusy).meaning),
                        _("no output tells whether other cores are free"),
                        _("mpstat 5 3 while the job runs"));
  }
  if (busy.front()->Number() > 1 - policy.host.idle) return {};
  const Fact& worker = *evidence.front();
  evidence.push_back(busy.front());
  for (const Fact* line : HostLines(facts, worker)) evidence.push_back(line);
  return Stated(kClaim, evidence);
}

}  // namespace gpuwhy
