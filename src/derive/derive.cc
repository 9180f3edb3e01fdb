#include "derive/derive.h"

#include <algorithm>
#include <optional>
#include <set>

#include "derive/blinds.h"
#include "derive/cgroup_io.h"
#include "derive/chain.h"
#include "derive/chain_edges.h"
#include "derive/devices.h"
#include "derive/discover.h"
#include "derive/fact_writer.h"
#include "derive/far_waits.h"
#include "derive/gains.h"
#include "derive/held.h"
#include "derive/host_rates.h"
#include "derive/inventory.h"
#include "derive/job_facts.h"
#include "derive/job_identity.h"
#include "derive/pasted.h"
#include "derive/storage_waits.h"
#include "derive/surroundings.h"
#include "derive/window.h"

namespace gpuwhy {
namespace {

/// The job that was looked at, among the captured processes; nullopt where none was.
std::optional<std::size_t> FollowedRoot(const Capture& capture, const ProcessTable& processes) {
  const std::int32_t pid = capture.run.job_pid > 0 ? capture.run.job_pid : capture.run.focus_pid;
  return pid > 0 ? processes.Index(pid) : std::nullopt;
}

JobInWindow ViewOf(const Capture& capture, const ProcessTable& processes, std::size_t root,
                   const Scope& window) {
  JobInWindow job{capture, processes, processes.Tree(root), {}, root, {}, window};
  job.members.assign(processes.size(), false);
  for (const std::size_t member : job.tree) job.members[member] = true;
  job.cpu = CpuUses(capture, processes, window);
  return job;
}

/// The followed job is the first of facts.jobs, with what the window showed of its chain.
void NoteJob(const JobInWindow& job, const Chain& chain, FactSet& facts) {
  const std::int32_t root = job.processes.Pid(job.root);
  const auto found = std::find_if(facts.jobs.begin(), facts.jobs.end(),
                                  [root](const JobFacts& one) { return one.root_pid == root; });
  JobFacts described;
  if (found != facts.jobs.end()) {
    described = *found;
    facts.jobs.erase(found);
  }
  IdentifyJob(job.capture, job.processes, job.root, job.tree, job.cpu, described);
  described.given = job.capture.run.job_pid > 0;
  if (described.given) described.score = 1;
  const bool proven = chain.proof == ConsumerProof::kStarved || chain.proof == ConsumerProof::kFull;
  described.consumer_pid =
      proven || chain.proof == ConsumerProof::kThreads ? job.processes.Pid(chain.consumer) : 0;
  described.filler_pids.clear();
  for (const std::size_t filler : chain.fillers) {
    described.filler_pids.push_back(job.processes.Pid(filler));
  }
  facts.jobs.insert(facts.jobs.begin(), std::move(described));
}

/// NVML's pids are those of the host: in another namespace none of them is found.
void NoteGpus(const JobInWindow& job, FactSet& facts) {
  std::set<std::int32_t> pids;
  for (const std::size_t member : job.tree) pids.insert(job.processes.Pid(member));
  facts.job_gpus = GpusOf(job.capture, pids);
  DeriveOthersLoad(job.capture, pids, facts.job_gpus, facts);
}

void DeriveJob(const JobInWindow& job, FactSet& facts) {
  const ObjectIndex objects(job.capture, job.processes, job.members);
  const Looks looks = LookAtJob(job, objects);
  const Chain chain = FindChain(job, looks, job.capture.run.job_pid);
  const QuotaUse quota = WriteCgroupFacts(job, facts);
  const std::vector<ReadLimit> limits = WriteCgroupIoFacts(job, facts);
  WriteJobFacts(job, quota, facts);
  const FillerUse use = UseOfFillers(job, looks, chain.fillers);
  WriteConsumerFacts(job, looks, chain, facts);
  WriteFillerFacts(job, chain, use, facts);
  std::uint64_t looks_of_fillers = 0;
  const std::vector<MountShare> mounts = StorageWaits(job, looks, chain.fillers, looks_of_fillers);
  WriteMountFacts(job, mounts, looks_of_fillers, facts);
  const std::vector<LimitedReads> limited = WriteMountLimits(job, mounts, limits, facts);
  WriteGains({job, looks, chain, use, quota, limited}, facts);
  facts.wait_chain = ChainEdges(job, looks, objects, chain, use, quota, mounts);
  NoteJob(job, chain, facts);
  NoteGpus(job, facts);
  DeriveSurroundings(job.capture, facts.jobs.front().subject, facts);
  NoteHeld(job, looks, chain.fillers, facts);
  NoteFarWaits(job, looks, chain, facts);
  NoteJobBlinds(job, looks, chain, use, facts);
}

/// The devices, what the node is made of, and what its kernel said.
void DeriveNodeParts(const Capture& capture, FactSet& facts) {
  DeriveDevices(capture, facts);
  DeriveInventory(capture, facts);
  DerivePastedLinks(capture, facts);
  DerivePastedLogs(capture, facts);
}

}  // namespace

FactSet Derive(const Capture& capture) {
  FactSet facts;
  facts.window = DiagnosedWindow(capture);
  if (capture.pasted.any) {
    DerivePasted(capture, facts);
    return facts;
  }
  DeriveHostRates(capture, facts.window, facts);
  DeriveNodeParts(capture, facts);
  if (capture.run.job_pid <= 0) facts.jobs = DiscoverJobs(capture);
  const ProcessTable processes(capture);
  if (const std::optional<std::size_t> root = FollowedRoot(capture, processes)) {
    DeriveJob(ViewOf(capture, processes, *root, facts.window), facts);
  } else {
    NoteNoJob(capture, facts);
    NoteHeldOnHost(capture, processes, facts);
  }
  NoteSourceBlinds(capture, facts);
  return facts;
}

FactSet DeriveNode(const Capture& capture) {
  FactSet facts;
  facts.window = DiagnosedWindow(capture);
  facts.node_only = true;
  if (capture.host.cpus_online > 0) {
    FactWriter(facts, facts.window, {"host", "/sys/devices/system/cpu/online", Origin::kRead})
        .Counted(FactId::kHostCpus, Subject{}, StatKind::kLast,
                 static_cast<double>(capture.host.cpus_online));
  }
  DeriveNodeParts(capture, facts);
  NoteSourceStates(capture, facts);
  return facts;
}

}  // namespace gpuwhy
