// CPU time, run queue, swap traffic and memory as host tools tell them.
#include <algorithm>
#include <set>

#include "derive/host_rows.h"
#include "derive/pasted_host.h"

namespace gpuwhy {
namespace {

using F = HostField;
const Subject kHost;

std::optional<double> Kernel(const HostRow& row) {
  const std::optional<double> system = row.Number(F::kSystem);
  if (!system) return std::nullopt;
  // vmstat counts interrupts as system time and has no columns of their own.
  return *system + row.Number(F::kIrq).value_or(0) + row.Number(F::kSoftirq).value_or(0);
}

std::optional<double> Interrupts(const HostRow& row) {
  const std::optional<double> soft = row.Number(F::kSoftirq);
  if (!soft) return std::nullopt;
  return *soft + row.Number(F::kIrq).value_or(0);
}

std::optional<double> Used(const HostRow& row) {
  const std::optional<double> idle = row.Number(F::kIdle);
  if (!idle) return std::nullopt;
  const double other = row.Number(F::kIowait).value_or(0) + row.Number(F::kSteal).value_or(0);
  return std::clamp(1 - *idle - other, 0.0, 1.0);
}

/// Shares of one core's time, as the mean of its looks.
struct CoreUse {
  double interrupts = 0, idle = 0;
};

/// nullopt: only of the time since boot.
std::optional<CoreUse> UseOf(const RowGroup& core) {
  CoreUse sum;
  double looks = 0;
  for (const HostRow* row : core.rows) {
    if (row->span != ReportSpan::kInterval && row->span != ReportSpan::kMoment) continue;
    sum.interrupts += Interrupts(*row).value_or(0);
    sum.idle += row->Number(F::kIdle).value_or(1) + row->Number(F::kIowait).value_or(0);
    ++looks;
  }
  if (looks == 0) return std::nullopt;
  return CoreUse{sum.interrupts / looks, sum.idle / looks};
}

/// Of one look at all cores: how many have no idle time.
void WriteCores(const std::vector<RowGroup>& groups, HostWriter& writer) {
  constexpr double kFull = 0.05;  // idle; what sampling leaves of a core that computes all the time
  std::map<std::pair<std::string, std::string>, std::vector<const RowGroup*>> outputs;
  for (const RowGroup& group : groups) {
    if (group.name != "all") outputs[{group.file, group.tool}].push_back(&group);
  }
  for (const auto& [output, cores] : outputs) {
    const RowGroup* worst = nullptr;
    double most = 0;
    double full = 0;
    for (const RowGroup* core : cores) {
      const std::optional<CoreUse> use = UseOf(*core);
      if (!use) continue;
      full += use->idle <= kFull ? 1 : 0;
      if (worst == nullptr || use->interrupts > most) worst = core, most = use->interrupts;
    }
    if (worst == nullptr) continue;
    writer.Mean(FactId::kHostCoreInterrupts, kHost, worst->rows, Interrupts);
    writer.Number(FactId::kHostCoresFull, kHost, *worst->rows.front(), full);
    // Without the line of all of them only some cores were asked for.
    const bool all = std::any_of(groups.begin(), groups.end(), [&](const RowGroup& group) {
      return group.name == "all" && group.file == worst->file && group.tool == worst->tool;
    });
    if (all && cores.size() > 1)
      writer.Number(FactId::kHostCpus, kHost, *worst->rows.front(),
                    static_cast<double>(cores.size()));
  }
}

void WriteCpu(const std::vector<HostRow>& rows, HostWriter& writer) {
  const std::vector<RowGroup> groups = GroupsOf(rows, HostTable::kCpu);
  for (const RowGroup& group : groups) {
    if (group.name != "all") continue;
    writer.Mean(FactId::kHostCpuBusy, kHost, group.rows, Used);
    writer.Mean(FactId::kHostCpuIowait, kHost, group.rows, FieldOf(F::kIowait));
    writer.Mean(FactId::kHostCpuSteal, kHost, group.rows, FieldOf(F::kSteal));
    writer.Mean(FactId::kHostCpuKernel, kHost, group.rows, Kernel);
  }
  WriteCores(groups, writer);
}

void WritePaging(const std::vector<HostRow>& rows, HostWriter& writer) {
  for (const RowGroup& group : GroupsOf(rows, HostTable::kPaging)) {
    writer.Mean(FactId::kHostRunnable, kHost, group.rows, FieldOf(F::kRunnable));
    writer.Mean(FactId::kHostBlocked, kHost, group.rows, FieldOf(F::kBlocked));
    writer.Mean(FactId::kHostSwapIn, kHost, group.rows, FieldOf(F::kSwapIn));
    writer.Mean(FactId::kHostSwapOut, kHost, group.rows, FieldOf(F::kSwapOut));
    // What lies in swap is a state, of whatever time the rates are.
    const HostRow& last = *group.rows.back();
    if (const std::optional<double> used = last.Number(F::kSwapUsed))
      writer.Number(FactId::kHostSwapUsed, kHost, last, *used);
  }
}

void WriteMemory(const std::vector<HostRow>& rows, HostWriter& writer) {
  for (const RowGroup& group : GroupsOf(rows, HostTable::kMemory)) {
    const HostRow& last = *group.rows.back();
    const auto write = [&](FactId id, F field) {
      if (const std::optional<double> value = last.Number(field))
        writer.Number(id, kHost, last, *value);
    };
    write(FactId::kHostMemoryTotal, F::kMemTotal);
    write(FactId::kHostMemoryAvailable, F::kMemAvailable);
    write(FactId::kHostMemoryLocked, F::kMemLocked);
    write(FactId::kHostSwapUsed, F::kSwapUsed);
  }
}

void WriteMachine(const std::vector<HostRow>& rows, HostWriter& writer) {
  for (const RowGroup& group : GroupsOf(rows, HostTable::kMachine)) {
    for (const HostRow* row : group.rows) {
      if (const std::optional<double> cpus = row->Number(F::kCpus))
        writer.Number(FactId::kHostCpus, kHost, *row, *cpus);
      if (const std::optional<double> nodes = row->Number(F::kNodes))
        writer.Number(FactId::kHostNumaNodes, kHost, *row, *nodes);
      if (const std::optional<double> load = row->Number(F::kLoad))
        writer.Number(FactId::kHostLoad, kHost, *row, *load);
      writer.Text(FactId::kHostHypervisor, kHost, *row, row->Text(F::kHypervisor));
    }
  }
}

}  // namespace

void DerivePastedCpu(const std::vector<HostRow>& rows, FactSet& facts) {
  HostWriter writer(facts);
  WriteCpu(rows, writer);
  WritePaging(rows, writer);
  WriteMemory(rows, writer);
  WriteMachine(rows, writer);
}

}  // namespace gpuwhy
