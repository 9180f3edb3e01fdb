#include "diagnose/rules/host/host_view.h"

#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

bool IsSet(const FactSet& facts, FactId id, const Subject& subject) {
  const Fact* fact = facts.Find(id, subject);
  const bool* flag =
      fact != nullptr && fact->value.has() ? std::get_if<bool>(&*fact->value) : nullptr;
  return flag != nullptr && *flag;
}

bool HoldsAny(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return Holds(text, word); });
}

}  // namespace

std::vector<ListedProcess> ListedProcesses(const FactSet& facts) {
  std::vector<ListedProcess> processes;
  for (const Fact* command : AllOf(facts, {FactId::kProcessCommand})) {
    const Subject& subject = command->subject;
    const auto known = [&](const ListedProcess& one) { return one.subject == subject; };
    if (std::any_of(processes.begin(), processes.end(), known)) continue;
    const auto number = [&](FactId id) {
      const Fact* fact = facts.Find(id, subject);
      return IsNumber(fact) ? fact : nullptr;
    };
    ListedProcess process;
    process.subject = subject;
    process.command = command;
    process.state = facts.Find(FactId::kProcessState, subject);
    process.blocked = number(FactId::kProcessBlocked);
    process.kernel_wait = facts.Find(FactId::kProcessKernelWait, subject);
    process.run = number(FactId::kProcessRun);
    process.run_wait = number(FactId::kProcessRunWait);
    process.thread_busy = number(FactId::kProcessThreadBusy);
    process.on_gpu = IsSet(facts, FactId::kProcessOnGpu, subject);
    process.loader = IsSet(facts, FactId::kProcessLoader, subject);
    processes.push_back(process);
  }
  return processes;
}

GpuLoad LoadOfGpus(const FactSet& facts, const GpuPolicy& policy) {
  bool busy = false;
  bool between = false;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const std::optional<double> load = gpu.Number(FactId::kGpuUtilization);
    if (!load ||
        gpu.Number(FactId::kGpuMemoryUsed).value_or(policy.held_memory) < policy.held_memory)
      continue;
    if (*load < policy.waiting_to) return GpuLoad::kWaiting;
    busy = busy || *load >= policy.busy;
    between = between || *load < policy.busy;
  }
  return busy && !between ? GpuLoad::kBusy : GpuLoad::kUnknown;
}

bool IsOfEnoughReports(const Fact& fact, const HostPolicy& policy) {
  return static_cast<double>(fact.stat.n) >= policy.reports;
}

std::vector<const Fact*> HostLines(const FactSet& facts, const Fact& fact) {
  std::vector<const Fact*> lines = AllOf(facts, {FactId::kHostLine});
  std::erase_if(lines, [&](const Fact* line) {
    return line->subject != fact.subject || line->provenance.source != fact.provenance.source;
  });
  return lines;
}

RuleResult HostCantTell(std::string_view rule, std::string what, std::string why, std::string how) {
  RuleResult result;
  result.unknowns.push_back(
      Unknown{std::move(what), std::move(why), std::move(how), {std::string(rule)}});
  return result;
}

RuleResult NotOfNow(std::string_view rule, const FactSet& facts, FactId figure) {
  const std::vector<const Fact*> all = facts.All(figure);
  if (all.empty()) return {};
  const Fact& first = *all.front();
  std::string how =
      _("take reports while the job runs and hand in all of them: vmstat 5 4, mpstat -P ALL 5 3, "
        "iostat -x 5 3");
  if (first.value.has()) {
    return HostCantTell(rule, Tr(Info(figure).meaning),
                        _("a single report can be a burst, or a mean since boot"), std::move(how));
  }
  const Missing& missing = first.value.missing();
  // The same words for every figure: one report tells of many, and is missing once.
  return HostCantTell(rule, _("what the host does while the job runs"),
                      missing.detail.empty() ? WhyText(missing.why) : Printable(missing.detail),
                      std::move(how));
}

KernelWait KernelWaitOf(std::string_view function) {
  // Names of functions of the kernel and of its modules; ps may cut them.
  if (HoldsAny(function, {"rpc_wait", "nfs"})) return KernelWait::kNfs;
  if (HoldsAny(function, {"nvidia", "uvm_", "os_acquire", "rm_", "nvkms", "_nv0"}) ||
      function.starts_with("nv_"))
    return KernelWait::kDriver;
  if (HoldsAny(function, {"folio_wait", "wait_on_page", "lock_page", "folio_lock", "io_schedule",
                          "blk_", "blkdev", "bio_", "ext4", "xfs", "btrfs", "jbd2", "filemap",
                          "bit_wait_io", "submit_bio", "dio_", "iomap", "get_request"}))
    return KernelWait::kStorage;
  return KernelWait::kUnknown;
}

KernelWait KernelWaitOf(const ListedProcess& process) {
  if (process.kernel_wait == nullptr || !process.kernel_wait->value.has())
    return KernelWait::kUnknown;
  const auto* name = std::get_if<std::string>(&*process.kernel_wait->value);
  return name == nullptr ? KernelWait::kUnknown : KernelWaitOf(*name);
}

bool IsBlocked(const ListedProcess& process, const HostPolicy& policy) {
  return process.blocked != nullptr && process.blocked->Number() >= policy.blocked;
}

}  // namespace gpuwhy
