// input.storage-latency and input.network-filesystem from handed-in text. Slow devices alone prove
// nothing: the job must be seen to wait, by its processes in state D or by its own log.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/host/host_rules.h"
#include "diagnose/rules/host/host_view.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"
#include "diagnose/rules/step/step_rules.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kStorage = "input.storage-latency";
constexpr StatedClaim kStorageClaim{
    kStorage,
    Severity::kWarning,
    Confidence::kMedium,
    N_("The job waits for storage"),
    N_("The job was seen waiting, and what it waits for are reads: its processes stand in the "
       "kernel's read path, or a device of the host answers its reads slowly at the same time."),
    N_("Put the data on faster storage, or read more of it ahead."),
    N_("Copy the data set to a local NVMe disk before the job starts, raise prefetch and workers "
       "so "
       "that reads overlap, pack small files into shards."),
    "iostat -x 5 3; for t in /proc/PID/task/*; do cat $t/wchan; echo; done"};

constexpr StatedClaim kNfsClaim{
    "input.network-filesystem",
    Severity::kWarning,
    Confidence::kMedium,
    N_("The job waits for an NFS server"),
    N_("The job was seen waiting, and what it waits for is NFS: its processes stand in a call to "
       "the server, or reads of the mount are slow at the same time."),
    N_("Look at the server and the way to it, not at the GPU."),
    N_("Stage the data on a local disk; check the server's load and the network between (retrans, "
       "rtt against exe in nfsiostat)."),
    "nfsiostat 5 3"};

/// What shows that the job waits at all.
struct SeenWaiting {
  std::vector<ListedProcess> blocked;
  std::optional<Cost> cost;  ///< by the job's own log
  std::vector<const Fact*> log;
};

/// Of loaders that read all the time a few are always in state D: only the larger half counts.
std::vector<ListedProcess> BlockedOnes(const FactSet& facts, const HostPolicy& policy) {
  std::vector<ListedProcess> blocked = ListedProcesses(facts);
  const auto is_helper = [](const ListedProcess& process) { return !process.on_gpu; };
  const auto helpers = std::count_if(blocked.begin(), blocked.end(), is_helper);
  std::erase_if(blocked, [&](const ListedProcess& process) { return !IsBlocked(process, policy); });
  if (2 * std::count_if(blocked.begin(), blocked.end(), is_helper) < helpers)
    std::erase_if(blocked, is_helper);
  return blocked;
}

SeenWaiting LookForWaiting(const FactSet& facts, const Policy& policy) {
  SeenWaiting seen;
  seen.blocked = BlockedOnes(facts, policy.host);
  const RuleResult input = StepInputBound(facts, policy);
  if (input.findings.empty()) return seen;
  seen.cost = input.findings.front().cost;
  if (seen.cost) seen.cost->low = 0;  // all of the wait at most; decoding may be part of it
  for (const FactId id : {FactId::kLogDataShare, FactId::kProfileLoaderShare}) {
    for (const Fact* share : NumbersOf(facts, id)) seen.log.push_back(share);
  }
  return seen;
}

/// Looks that found one of them in state D.
double LooksAt(const std::vector<ListedProcess>& processes) {
  double looks = 0;
  for (const ListedProcess& process : processes)
    looks += process.blocked->Number() * static_cast<double>(process.blocked->stat.n);
  return looks;
}

/// Figures of now over the policy's limit, with their lines.
std::vector<const Fact*> SlowReads(const FactSet& facts, FactId id, const HostPolicy& policy) {
  std::vector<const Fact*> slow = NumbersOf(facts, id);
  std::erase_if(slow, [&](const Fact* fact) { return fact->interval.low < policy.read_await; });
  return slow;
}

void AddProcesses(const std::vector<ListedProcess>& processes, const FactSet& facts,
                  std::vector<const Fact*>& evidence) {
  constexpr std::size_t kMost = 3;
  for (std::size_t i = 0; i < std::min(processes.size(), kMost); ++i) {
    for (const Fact* fact : {processes[i].blocked, processes[i].kernel_wait, processes[i].state}) {
      if (fact != nullptr && fact->value.has()) evidence.push_back(fact);
    }
    for (const Fact* line : HostLines(facts, *processes[i].blocked)) evidence.push_back(line);
  }
}

/// The claim, with what shows the wait and what shows that it is this kind of storage.
RuleResult Claim(const StatedClaim& claim, const FactSet& facts, const SeenWaiting& seen,
                 const std::vector<ListedProcess>& in_path, const std::vector<const Fact*>& slow) {
  std::vector<const Fact*> evidence;
  AddProcesses(in_path.empty() ? seen.blocked : in_path, facts, evidence);
  if (evidence.empty()) evidence = seen.log;
  for (const Fact* read : slow) {
    evidence.push_back(read);
    for (const Fact* line : HostLines(facts, *read)) evidence.push_back(line);
  }
  RuleResult result = Stated(claim, evidence);
  Finding& finding = result.findings.front();
  finding.cost = seen.cost;
  const bool named = LooksAt(in_path) >= 2;
  const bool known = std::any_of(in_path.begin(), in_path.end(), [](const ListedProcess& process) {
    return process.on_gpu || process.loader;
  });
  // A slow device may serve somebody else, and one look may be a moment.
  if (!named || !known) finding.confidence = Confidence::kLow;
  return result;
}

std::vector<ListedProcess> InPath(const SeenWaiting& seen, KernelWait wait) {
  std::vector<ListedProcess> processes = seen.blocked;
  std::erase_if(processes,
                [&](const ListedProcess& process) { return KernelWaitOf(process) != wait; });
  return processes;
}

/// Processes whose wait is named and is another one prove nothing for this one.
bool WaitsForSomethingElse(const SeenWaiting& seen) {
  return !seen.blocked.empty() &&
         std::all_of(seen.blocked.begin(), seen.blocked.end(), [](const ListedProcess& process) {
           return KernelWaitOf(process) != KernelWait::kUnknown;
         });
}

RuleResult CantTellWhatFor(const SeenWaiting& seen, bool in_path, const FactSet& facts) {
  if (seen.blocked.empty()) return {};
  const std::vector<const Fact*> figures = facts.All(FactId::kBlockReadAwait);
  const bool stale = !figures.empty() && NumbersOf(facts, FactId::kBlockReadAwait).empty();
  std::string why =
      _("the list does not name where in the kernel, and no device was seen to answer slowly");
  if (stale)
    why =
        _("the list does not name where in the kernel, and iostat only tells of the time since "
          "boot");
  if (in_path) why = _("it was seen reading in a single look: any read looks like that");
  return HostCantTell(
      kStorage, _("what the job's processes in state D wait for"), std::move(why),
      _("ps -eLo pid,tid,stat,wchan:32,comm | awk '$3 ~ /D/' and iostat -x 5 3, while it happens"));
}

}  // namespace

RuleResult HostNetworkFilesystem(const FactSet& facts, const Policy& policy) {
  if (!facts.pasted || LoadOfGpus(facts, policy.gpu) == GpuLoad::kBusy) return {};
  const SeenWaiting seen = LookForWaiting(facts, policy);
  const std::vector<ListedProcess> in_path = InPath(seen, KernelWait::kNfs);
  const std::vector<const Fact*> slow = SlowReads(facts, FactId::kNfsReadExe, policy.host);
  if (!in_path.empty()) return Claim(kNfsClaim, facts, seen, in_path, slow);
  if (slow.empty() || WaitsForSomethingElse(seen)) return {};
  if (seen.blocked.empty() && !seen.cost) return {};
  return Claim(kNfsClaim, facts, seen, {}, slow);
}

RuleResult HostStorageLatency(const FactSet& facts, const Policy& policy) {
  if (!facts.pasted || LoadOfGpus(facts, policy.gpu) == GpuLoad::kBusy) return {};
  const SeenWaiting seen = LookForWaiting(facts, policy);
  const std::vector<ListedProcess> in_path = InPath(seen, KernelWait::kStorage);
  const std::vector<const Fact*> slow = SlowReads(facts, FactId::kBlockReadAwait, policy.host);
  // A read that takes its time is no slow one: one look at one process proves nothing by itself.
  if (!in_path.empty() && (LooksAt(in_path) >= 2 || !slow.empty() || seen.cost))
    return Claim(kStorageClaim, facts, seen, in_path, slow);
  if (in_path.empty() && WaitsForSomethingElse(seen)) return {};
  if (!slow.empty() && (!seen.blocked.empty() || seen.cost))
    return Claim(kStorageClaim, facts, seen, {}, slow);
  // NFS shows no block device.
  if (!SlowReads(facts, FactId::kNfsReadExe, policy.host).empty()) return {};
  return CantTellWhatFor(seen, !in_path.empty(), facts);
}

}  // namespace gpuwhy
