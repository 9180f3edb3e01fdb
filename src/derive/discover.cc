#include "derive/discover.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "derive/counters.h"
#include "derive/hangs.h"
#include "derive/job_identity.h"
#include "derive/looks.h"
#include "derive/objects.h"
#include "derive/process_table.h"
#include "derive/programs.h"
#include "derive/wakes.h"
#include "derive/window.h"

namespace gpuwhy {
namespace {

// Measured on thirteen trees at once: starved consumers 0.56 to 0.96, a loop of echo and sleep
// into cat 0.04, idle servers and pools 0.
constexpr double kMinScore = 0.05;
// A compiler's passes live for moments; a job lives through the look (measured: `as` scored 1.0).
constexpr double kMinLife = 0.3;
constexpr std::uint64_t kMinLooks = 5;
constexpr double kThreadsOnlyFactor = 0.3;
/// Fillers with less than this part of the starved looks may be chance.
constexpr double kMinFillerPart = 0.1;
constexpr std::size_t kMaxJobs = 16;
/// Cores: a tenth of a millisecond each second is less than one wake and its system call a second.
constexpr double kMostHungCores = 1e-4;

/// A job in good order counts for less than one that is starved: that is what is asked about.
constexpr double kFullFactor = 0.6;
/// A compiler's driver and a shell's pipeline wait for data too, but not for workers of their own:
/// those are forks of the process that waits, or at least run the same program.
constexpr double kStrangersFactor = 0.25;

// What a sign of a device is worth where nobody was seen waiting for anybody: a process that
// computes on it alone, and one that only holds it.
constexpr double kBusyOnDevice = 0.3;
constexpr double kHoldsDevice = 0.1;
constexpr double kBusyWithFramework = 0.2;
constexpr double kBusyCores = 0.02;
/// Below this a candidate is idle: that it holds a device is no lead over those that work.
constexpr double kIdleScore = 0.15;

/// A job that waits less than a fifth of its time is not what was asked for; twice as much as the
/// second is clear at 60 looks.
constexpr double kLeastScore = 0.2;
constexpr double kLead = 2;
/// The 95 % interval of a share is then within 20 points (docs/confidence.md).
constexpr std::uint64_t kEnoughLooks = 20;

struct Candidate {
  std::size_t consumer = kNoProcess, root = kNoProcess;
  double score = 0;
  GpuSign gpu = GpuSign::kNone;
  std::vector<std::size_t> fillers;
};

GpuSign Lead(GpuSign gpu, double score) { return score < kIdleScore ? GpuSign::kNone : gpu; }

class Discovery {
 public:
  explicit Discovery(const Capture& capture)
      : capture_(capture),
        processes_(capture),
        everyone_(processes_.size(), true),
        objects_(capture, processes_, everyone_),
        window_(DiscoveryWindow(capture)) {
    LookOptions options;
    options.from = window_.from;
    options.to = window_.to;
    uses_ = CpuUses(capture, processes_, window_);
    options.wakes = WakesOften(uses_);
    options.transitive = false;
    looks_ = LookAt(capture, processes_, everyone_, objects_, options);
    // Of everybody on the host only those that do not get on at all: a `du` under a shell is in
    // storage in every look too, but computes in between. By CPU time, which is read each second.
    std::vector<bool> hangs(processes_.size(), false);
    for (std::size_t i = 0; i < hangs.size(); ++i) {
      const bool still = uses_[i].run.has() && *uses_[i].run <= kMostHungCores;
      hangs[i] = still && HangsInStorage(looks_.sums[i], kMinLooks);
    }
    if (WakeAbove(processes_, hangs, everyone_, options.wakes)) {
      looks_ = LookAt(capture, processes_, everyone_, objects_, options);
    }
    wakes_ = options.wakes;
    GatherFillers();
  }

  [[nodiscard]] std::vector<JobFacts> Jobs() const {
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      const Candidate candidate = Rate(i);
      if (candidate.score >= kMinScore) candidates.push_back(candidate);
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      const auto key = [](const Candidate& c) { return std::tuple(Lead(c.gpu, c.score), c.score); };
      return key(a) != key(b) ? key(a) > key(b) : a.consumer < b.consumer;
    });
    std::vector<JobFacts> jobs;
    std::vector<bool> taken(processes_.size(), false);
    for (const Candidate& candidate : candidates) {
      if (jobs.size() >= kMaxJobs) break;
      if (taken[candidate.consumer] || taken[candidate.root]) continue;
      const std::vector<std::size_t> tree = processes_.Tree(candidate.root);
      if (std::any_of(tree.begin(), tree.end(), [&taken](std::size_t i) { return taken[i]; })) {
        continue;
      }
      for (const std::size_t member : tree) taken[member] = true;
      jobs.push_back(Describe(candidate, tree));
    }
    return jobs;
  }

 private:
  void GatherFillers() {
    fillers_.resize(processes_.size());
    ahead_.resize(processes_.size());
    for (const auto& [edge, count] : looks_.starved) {
      const auto& [waiter, filler, object] = edge;
      if (static_cast<double>(count) >=
          kMinFillerPart * static_cast<double>(looks_.sums[waiter].Count(ProcessState::kStarved))) {
        fillers_[waiter].insert(filler);
      }
    }
    for (const auto& [edge, count] : looks_.full) {
      const auto& [filler, drainer, object] = edge;
      if (drainer != filler && processes_.IsAncestor(drainer, filler)) ahead_[drainer][filler];
    }
    for (const ProcessLook& look : looks_.processes) NoteAhead(look);
  }

  /// Where a queue is bounded by a semaphore full and empty look alike. A worker that waits on one
  /// it shares with its parent has filled it, if the parent is busy with something else than its
  /// queues; that both wake again and again tells it from a pool without work.
  void NoteAhead(const ProcessLook& look) {
    if (look.state != ProcessState::kOther || !wakes_[look.process]) return;
    std::set<std::size_t> drainers;
    for (std::size_t t = look.first; t < look.last; ++t) {
      if (looks_.threads[t].wait != WaitClass::kQueueRead) continue;
      for (const FarEnd& end : objects_.Wait(looks_.threads[t].detail).drainers) {
        const bool above = processes_.IsAncestor(end.process, look.process);
        if (above && !objects_.Object(end.object).directed) drainers.insert(end.process);
      }
    }
    for (const std::size_t drainer : drainers) {
      if (IsBusyElsewhere(look.tick, drainer)) ++ahead_[drainer][look.process];
    }
  }

  [[nodiscard]] bool IsBusyElsewhere(std::uint32_t tick, std::size_t process) const {
    const auto key = [](const ProcessLook& look) { return std::pair(look.tick, look.process); };
    const auto look = std::lower_bound(
        looks_.processes.begin(), looks_.processes.end(), std::pair(tick, process),
        [&key](const ProcessLook& a, const auto& wanted) { return key(a) < wanted; });
    if (look == looks_.processes.end() || key(*look) != std::pair(tick, process)) return false;
    bool busy = false;
    for (std::size_t t = look->first; t < look->last; ++t) {
      const WaitClass wait = looks_.threads[t].wait;
      if (wait == WaitClass::kQueueRead || wait == WaitClass::kRequests) return false;
      busy |= IsActive(wait) || wait == WaitClass::kTimer || wait == WaitClass::kDevice;
    }
    return busy;
  }

  [[nodiscard]] bool LivesLongEnough(const ProcessSums& sums) const {
    const double span = Seconds(window_.to - window_.from);
    return sums.looks >= kMinLooks && Seconds(sums.last - sums.first) >= kMinLife * span;
  }

  [[nodiscard]] double Part(std::size_t process, ProcessState state) const {
    const ProcessSums& sums = looks_.sums[process];
    if (sums.looks == 0) return 0;
    return static_cast<double>(sums.Count(state)) / static_cast<double>(sums.looks);
  }

  [[nodiscard]] Candidate Rate(std::size_t process) const {
    Candidate candidate;
    candidate.consumer = process;
    candidate.root = process;
    candidate.gpu = GpuSignOf(processes_.At(process));
    const ProgramKind kind = KindOfProgram(capture_.Name(processes_.At(process).command));
    if (kind == ProgramKind::kDisplay || !LivesLongEnough(looks_.sums[process])) return candidate;
    // A shell reads what a pipe brings for as long as its child lives.
    if (kind != ProgramKind::kTool) RateWaits(process, candidate);
    if (candidate.score >= kMinScore) candidate.root = RootOf(process, candidate.fillers);
    if (candidate.gpu != GpuSign::kNone) {
      candidate.score = std::max(candidate.score, ScoreOfSign(process, candidate.gpu));
      candidate.root = TopmostWithSign(candidate.root);
    }
    const std::size_t parent = processes_.Parent(candidate.root);
    if (parent != kNoProcess &&
        KindOfProgram(capture_.Name(processes_.At(parent).command)) == ProgramKind::kLauncher) {
      candidate.root = parent;
    }
    return candidate;
  }

  void RateWaits(std::size_t process, Candidate& candidate) const {
    const ProcessSums& sums = looks_.sums[process];
    const double starved = Part(process, ProcessState::kStarved);
    const double ahead = std::min(1.0, starved + AheadPart(process));
    const double threads = wakes_[process]
                               ? kThreadsOnlyFactor * static_cast<double>(sums.main_futex_helped) /
                                     static_cast<double>(sums.looks)
                               : 0;
    std::set<std::size_t> fillers = fillers_[process];
    if (ahead > starved) {
      for (const auto& [worker, looks] : ahead_[process]) fillers.insert(worker);
    }
    double waits = std::max(starved, kFullFactor * ahead);
    if (candidate.gpu == GpuSign::kNone && !AreItsOwn(process, fillers)) waits *= kStrangersFactor;
    candidate.score = std::max(waits, threads);
    if (waits >= threads) candidate.fillers.assign(fillers.begin(), fillers.end());
  }

  /// Share of looks in which workers of the process wait for it to take what they made: of the one
  /// that does so most. Only where it goes on taking: else nobody wants what they make.
  [[nodiscard]] double AheadPart(std::size_t process) const {
    double most = 0;
    const double run = uses_[process].run.ValueOr(0);
    if (!wakes_[process] && run < kBusyCores) return most;
    for (const auto& [worker, shared] : ahead_[process]) {
      const ProcessSums& sums = looks_.sums[worker];
      if (!LivesLongEnough(sums)) continue;
      const double alike = static_cast<double>(shared) / static_cast<double>(sums.looks);
      most = std::max(most, Part(worker, ProcessState::kFull) + alike);
    }
    return most;
  }

  /// Is one of them below it and runs the same program? What can't be read is no reason to doubt.
  [[nodiscard]] bool AreItsOwn(std::size_t process, const std::set<std::size_t>& fillers) const {
    const NameId program = processes_.At(process).executable;
    return std::any_of(fillers.begin(), fillers.end(), [&](std::size_t filler) {
      const NameId other = processes_.At(filler).executable;
      const bool same = program == kNoName || other == kNoName || program == other;
      return same && processes_.IsAncestor(process, filler);
    });
  }

  [[nodiscard]] double ScoreOfSign(std::size_t process, GpuSign gpu) const {
    const bool busy = uses_[process].run.ValueOr(0) >= kBusyCores;
    if (gpu == GpuSign::kDevice) return busy ? kBusyOnDevice : kHoldsDevice;
    return busy ? kBusyWithFramework : 0;
  }

  /// The consumer itself where its fillers are below it; else what both hang from (a shell over a
  /// pipeline).
  [[nodiscard]] std::size_t RootOf(std::size_t consumer,
                                   const std::vector<std::size_t>& fillers) const {
    std::size_t root = consumer;
    for (const std::size_t filler : fillers) {
      if (processes_.IsAncestor(consumer, filler)) return consumer;
    }
    for (const std::size_t filler : fillers) {
      const std::size_t common = processes_.CommonAncestor(root, filler);
      if (common != kNoProcess) root = common;
    }
    return root;
  }

  /// Ranks of one job, and workers that inherited the mappings, hang from who started them.
  [[nodiscard]] std::size_t TopmostWithSign(std::size_t process) const {
    std::size_t top = process;
    for (int i = 0; i < kMaxGenerations; ++i) {
      const std::size_t parent = processes_.Parent(top);
      if (parent == kNoProcess || GpuSignOf(processes_.At(parent)) == GpuSign::kNone) break;
      top = parent;
    }
    return top;
  }

  [[nodiscard]] JobFacts Describe(const Candidate& candidate,
                                  const std::vector<std::size_t>& tree) const {
    JobFacts job;
    IdentifyJob(capture_, processes_, candidate.root, tree, uses_, job);
    job.consumer_pid = processes_.Pid(candidate.consumer);
    for (const std::size_t filler : candidate.fillers) {
      job.filler_pids.push_back(processes_.Pid(filler));
    }
    job.score = candidate.score;
    job.looks = looks_.sums[candidate.consumer].looks;
    return job;
  }

  const Capture& capture_;
  ProcessTable processes_;
  std::vector<bool> everyone_;
  ObjectIndex objects_;
  Scope window_;
  std::vector<CpuUse> uses_;
  Looks looks_;
  std::vector<bool> wakes_;
  std::vector<std::set<std::size_t>> fillers_;  ///< by waiter: who makes what it waits for
  /// By drainer: workers below it in a full queue, with the looks in which only what the drainer
  /// did told full from empty.
  std::vector<std::map<std::size_t, std::uint64_t>> ahead_;
};

}  // namespace

std::vector<JobFacts> DiscoverJobs(const Capture& capture) { return Discovery(capture).Jobs(); }

std::int32_t ChooseJob(const std::vector<JobFacts>& jobs) {
  if (jobs.empty()) return 0;
  const JobFacts& best = jobs.front();
  if (best.gpu == GpuSign::kNone && best.score < kLeastScore) return 0;
  const GpuSign lead = Lead(best.gpu, best.score);
  const bool rivalled = std::any_of(jobs.begin() + 1, jobs.end(), [&](const JobFacts& other) {
    return Lead(other.gpu, other.score) == lead && best.score < kLead * other.score;
  });
  return rivalled ? 0 : best.root_pid;
}

bool SeenEnough(const Capture& capture, const std::vector<JobFacts>& jobs) {
  if (!jobs.empty()) return jobs.front().looks >= kEnoughLooks;
  std::set<std::uint32_t> ticks;
  for (const ThreadSample& sample : capture.thread_samples) ticks.insert(sample.tick);
  return ticks.size() >= kEnoughLooks;
}

}  // namespace gpuwhy
