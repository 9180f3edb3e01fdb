#include "derive/chain_edges.h"

#include <algorithm>
#include <map>
#include <string>

namespace gpuwhy {
namespace {

constexpr double kMinEdge = 0.01;
constexpr std::size_t kMaxNamedPids = 8;

Subject ProcessSubject(const JobInWindow& job, std::size_t process) {
  return {SubjectKind::kProcess, std::to_string(job.processes.Pid(process))};
}

/// "process:7" or "threads:7,8,9".
Subject GroupSubject(const JobInWindow& job, const std::vector<std::size_t>& processes) {
  if (processes.size() == 1) return ProcessSubject(job, processes.front());
  std::string pids;
  for (std::size_t i = 0; i < processes.size() && i < kMaxNamedPids; ++i) {
    if (i > 0) pids += ',';
    pids += std::to_string(job.processes.Pid(processes[i]));
  }
  if (processes.size() > kMaxNamedPids) {
    pids += ",+" + std::to_string(processes.size() - kMaxNamedPids);
  }
  return {SubjectKind::kThreadGroup, pids};
}

WaitEdge MakeEdge(Subject from, Subject to, std::string kind, std::string resource,
                  const Share& share) {
  WaitEdge edge;
  edge.from = std::move(from);
  edge.to = std::move(to);
  edge.kind = std::move(kind);
  edge.resource = std::move(resource);
  edge.share = share.value;
  edge.interval = ToInterval(share);
  edge.proof = "direction";
  edge.source = kWaits;
  return edge;
}

/// Share x a factor that was counted exactly.
Share Scaled(const Share& share, double factor) {
  return {share.value * factor, share.low * factor, share.high * factor};
}

class EdgeBuilder {
 public:
  EdgeBuilder(const JobInWindow& job, const Looks& looks, const ObjectIndex& objects,
              const Chain& chain)
      : job_(job), looks_(looks), objects_(objects), chain_(chain) {}

  void ConsumerEdges() {
    const ProcessSums& sums = looks_.sums[chain_.consumer];
    const auto looks = static_cast<double>(sums.looks);
    const Subject consumer = ProcessSubject(job_, chain_.consumer);
    StarvedEdge(sums);
    const auto of = [looks](std::uint64_t count) {
      return WilsonShare(static_cast<double>(count), looks);
    };
    const std::uint64_t idle = sums.Count(ProcessState::kRequests);
    Keep(MakeEdge(consumer, {SubjectKind::kInput, "requests"}, "requests", "none",
                  of(idle - std::min(idle, sums.timer))));
    Keep(MakeEdge(consumer, {SubjectKind::kInput, "timer"}, "timer", "none", of(sums.timer)));
    Keep(MakeEdge(consumer, {SubjectKind::kInput, "peer"}, "peer", "network", of(sums.network)));
    Keep(MakeEdge(consumer, {SubjectKind::kInput, "stdin"}, "external", "none", of(sums.external)));
  }

  void FillerEdges(const FillerUse& use, const QuotaUse& quota,
                   const std::vector<MountShare>& mounts) {
    const Subject fillers = GroupSubject(job_, chain_.fillers);
    std::vector<WaitEdge> found;
    for (const MountShare& wait : mounts) {
      const Subject mount{SubjectKind::kMount, wait.point};
      found.push_back(MakeEdge(fillers, mount, "read", "storage", wait.read));
      found.back().object = wait.example;
      found.push_back(MakeEdge(fillers, mount, "open", "storage", wait.open));
      found.back().object = wait.example;
    }
    const Subject host;
    found.push_back(MakeEdge(fillers, host, "write", "storage", use.write));
    found.push_back(MakeEdge(fillers, host, "fault", "storage", use.fault));
    Unplaced(fillers, use, mounts, found);
    CpuEdges(fillers, use, quota, found);
    Subject consumer = ProcessSubject(job_, chain_.consumer);
    found.push_back(MakeEdge(fillers, consumer, "queue-full", "", use.full));
    std::stable_sort(found.begin(), found.end(),
                     [](const WaitEdge& a, const WaitEdge& b) { return a.share > b.share; });
    for (WaitEdge& edge : found) Keep(std::move(edge));
  }

  [[nodiscard]] std::vector<WaitEdge> Take() { return std::move(edges_); }

 private:
  void Keep(WaitEdge edge) {
    if (edge.share >= kMinEdge) edges_.push_back(std::move(edge));
  }

  /// The object over which the consumer waited most names the edge.
  void StarvedEdge(const ProcessSums& sums) {
    std::map<std::uint32_t, std::uint64_t> objects;
    for (const auto& [edge, count] : looks_.starved) {
      if (std::get<0>(edge) == chain_.consumer) objects[std::get<2>(edge)] += count;
    }
    if (objects.empty() || chain_.fillers.empty()) return;
    const auto most =
        std::max_element(objects.begin(), objects.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    const WaitObject& object = objects_.Object(most->first);
    WaitEdge edge =
        MakeEdge(ProcessSubject(job_, chain_.consumer), GroupSubject(job_, chain_.fillers),
                 std::string(MechanismOf(object.key.kind)), "",
                 WilsonShare(static_cast<double>(sums.Count(ProcessState::kStarved)),
                             static_cast<double>(sums.looks)));
    edge.object = object.name;
    edge.proof = SeenFilling(most->first) ? "direction" : "membership";
    if (Guessed()) {
      // Several lead to the same processes: which of them was waited on is not known.
      edge.proof = "candidate";
      if (objects.size() > 1) edge.object.clear();
    }
    Keep(std::move(edge));
  }

  /// Was there no look at the consumer's queue in which its system call could be read?
  [[nodiscard]] bool Guessed() const {
    return std::none_of(looks_.threads.begin(), looks_.threads.end(), [&](const ThreadInLook& one) {
      return one.process == chain_.consumer && one.wait == WaitClass::kQueueRead && !one.by_channel;
    });
  }

  /// Was a loader caught writing to it, or do the ends leave no doubt who fills it?
  [[nodiscard]] bool SeenFilling(std::uint32_t object) const {
    for (const auto& [edge, count] : looks_.full) {
      if (std::get<1>(edge) == chain_.consumer && std::get<2>(edge) == object) return true;
    }
    bool one_way = false;
    std::uint32_t looked = kNoDetail;
    for (const ThreadInLook& thread : looks_.threads) {
      if (thread.process != chain_.consumer || thread.wait != WaitClass::kQueueRead) continue;
      if (thread.detail == looked) continue;
      looked = thread.detail;
      for (const FarEnd& end : objects_.Wait(thread.detail).fillers) {
        if (end.object != object) continue;
        if (!end.one_way) return false;
        one_way = true;
      }
    }
    return one_way;
  }

  /// Reads and opens whose mount is not known still end the chain in storage.
  static void Unplaced(const Subject& fillers, const FillerUse& use,
                       const std::vector<MountShare>& mounts, std::vector<WaitEdge>& found) {
    double read = use.read.value;
    double open = use.open.value;
    for (const MountShare& wait : mounts) {
      read -= wait.read.value;
      open -= wait.open.value;
    }
    const auto n = static_cast<double>(use.looks);
    const Subject host;
    found.push_back(
        MakeEdge(fillers, host, "read", "storage", WilsonShare(std::max(0.0, read) * n, n)));
    found.push_back(
        MakeEdge(fillers, host, "open", "storage", WilsonShare(std::max(0.0, open) * n, n)));
  }

  /// Samples say how long they were running or runnable; counters split that exactly.
  static void CpuEdges(const Subject& fillers, const FillerUse& use, const QuotaUse& quota,
                       std::vector<WaitEdge>& found) {
    const Subject host;
    const bool counted = use.cpu.run && use.cpu.delay && *use.cpu.run + *use.cpu.delay > 0;
    if (!counted) {
      found.push_back(MakeEdge(fillers, host, "run", "cpu", use.run));
      return;
    }
    const double run = *use.cpu.run;
    const double delay = *use.cpu.delay;
    const double both = run + delay;
    const double by_quota = quota.throttled ? *quota.throttled : 0;
    found.push_back(MakeEdge(fillers, host, "run", "cpu", Scaled(use.run, run / both)));
    found.push_back(MakeEdge(fillers, host, "run-queue", "cpu",
                             Scaled(use.run, delay * (1 - by_quota) / both)));
    found.push_back(MakeEdge(fillers, {SubjectKind::kCgroup, quota.path}, "quota", "cpu",
                             Scaled(use.run, delay * by_quota / both)));
    found.back().object = quota.path;
    found.back().source = "cpu.stat, /proc/PID/task/*/schedstat";
  }

  static constexpr std::uint32_t kNoDetail = static_cast<std::uint32_t>(-1);

  const JobInWindow& job_;
  const Looks& looks_;
  const ObjectIndex& objects_;
  const Chain& chain_;
  std::vector<WaitEdge> edges_;
};

}  // namespace

std::vector<WaitEdge> ChainEdges(const JobInWindow& job, const Looks& looks,
                                 const ObjectIndex& objects, const Chain& chain,
                                 const FillerUse& use, const QuotaUse& quota,
                                 const std::vector<MountShare>& mounts) {
  EdgeBuilder builder(job, looks, objects, chain);
  builder.ConsumerEdges();
  if (!chain.fillers.empty()) builder.FillerEdges(use, quota, mounts);
  return builder.Take();
}

}  // namespace gpuwhy
