// What the rules on handed-in figures of the host look at: the job's processes as listed, what the
// GPUs do, and the lines that show it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/rule.h"

namespace gpuwhy {

/// A process of the job in a list of processes. The pointers may be null.
struct ListedProcess {
  Subject subject;
  const Fact* command = nullptr;
  const Fact* state = nullptr;
  const Fact* blocked = nullptr;
  const Fact* kernel_wait = nullptr;
  const Fact* run = nullptr;
  const Fact* run_wait = nullptr;
  const Fact* thread_busy = nullptr;
  bool on_gpu = false;  ///< a tool lists it on a GPU
  bool loader = false;  ///< works for one that is
};
[[nodiscard]] std::vector<ListedProcess> ListedProcesses(const FactSet& facts);

/// What the GPUs that hold a job's memory do, by the outputs that were handed in.
enum class GpuLoad : unsigned char {
  kUnknown,
  kBusy,     ///< all of them: the host is no limit
  kWaiting,  ///< at least one, by policy.gpu.waiting_to
};
[[nodiscard]] GpuLoad LoadOfGpus(const FactSet& facts, const GpuPolicy& policy);

/// Of now, and from policy.host.reports reports.
[[nodiscard]] bool IsOfEnoughReports(const Fact& fact, const HostPolicy& policy);
/// The line that the fact was read from.
[[nodiscard]] std::vector<const Fact*> HostLines(const FactSet& facts, const Fact& fact);

/// The rule can't tell: a single unknown. what, why and how are translated.
[[nodiscard]] RuleResult HostCantTell(std::string_view rule, std::string what, std::string why,
                                      std::string how);
/// Because the figure is there but not of now, or from too few reports; nothing where no tool gave
/// it at all.
[[nodiscard]] RuleResult NotOfNow(std::string_view rule, const FactSet& facts, FactId figure);

/// How a function of the kernel is named that processes wait in for an NFS server, for a block
/// device or a local file system, or in the GPU's driver.
enum class KernelWait : unsigned char { kUnknown, kNfs, kStorage, kDriver };
[[nodiscard]] KernelWait KernelWaitOf(std::string_view function);
[[nodiscard]] KernelWait KernelWaitOf(const ListedProcess& process);

/// In state D in policy.host.blocked of the looks.
[[nodiscard]] bool IsBlocked(const ListedProcess& process, const HostPolicy& policy);

}  // namespace gpuwhy
