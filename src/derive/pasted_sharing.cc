#include "derive/pasted_sharing.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "derive/pasted_facts.h"

namespace gpuwhy {
namespace {

struct Load {
  double sum = 0;
  std::uint64_t samples = 0;
  std::string first;  ///< file:line
  [[nodiscard]] double Mean() const { return sum / static_cast<double>(samples); }
};

/// The processes of one output on one GPU.
using Loads = std::map<std::int32_t, Load>;

/// Not "C+G", which desktop programs of Windows are, nor "M+C": clients of MPS share on purpose.
bool Competes(const GpuProcess& process) { return process.type == "C"; }

void Write(const Loads& loads, const Subject& subject, std::size_t number, FactSet& facts) {
  double total = 0;
  double most = 0;
  for (const auto& [pid, load] : loads) {
    total += load.Mean();
    most = std::max(most, load.Mean());
  }
  const Provenance from{"nvidia-smi-pmon", loads.begin()->second.first, Origin::kComputed};
  AddCount(facts, FactId::kGpuUtilization, subject, number, std::min(total, 100.0), from);
  AddCount(facts, FactId::kGpuOthersLoad, subject, number, std::min(total, 100.0) - most, from);
  AddCount(facts, FactId::kGpuComputeProcesses, subject, number, static_cast<double>(loads.size()),
           from);
}

}  // namespace

void DerivePastedSharing(const Capture& capture, std::size_t& number,
                         const std::function<Subject(const GpuProcess&)>& subject_of,
                         FactSet& facts) {
  std::map<std::pair<std::string, std::int32_t>, std::pair<Loads, const GpuProcess*>> gpus;
  for (const GpuProcess& process : capture.pasted.processes) {
    if (process.reader != "nvidia-smi-pmon" || !process.sm || !Competes(process)) continue;
    auto& [loads, any] = gpus[{process.place.file, process.gpu}];
    any = &process;
    Load& load = loads[process.pid];
    load.sum += *process.sm;
    if (load.samples++ == 0)
      load.first = process.place.file + ":" + std::to_string(process.place.line);
  }
  for (const auto& [place, seen] : gpus) {
    if (seen.first.size() < 2) continue;
    Write(seen.first, subject_of(*seen.second), number++, facts);
  }
}

}  // namespace gpuwhy
