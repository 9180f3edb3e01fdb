#include "derive/discover.h"

#include <algorithm>
#include <array>
#include <string>

#include "derive/counters.h"
#include "derive/hangs.h"
#include "derive/job_identity.h"
#include "derive/looks.h"
#include "derive/objects.h"
#include "derive/process_table.h"
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

struct Candidate {
  std::size_t consumer = kNoProcess, root = kNoProcess;
  double score = 0;
  std::vector<std::size_t> fillers;
};

/// Programs that only start the ranks of one job.
bool IsLauncher(const std::string& command) {
  constexpr std::array<std::string_view, 9> kLaunchers = {
      "torchrun", "accelerate", "deepspeed",  "mpirun",        "mpiexec",
      "orterun",  "srun",       "slurmstepd", "hydra_pmi_prox"};
  return std::find(kLaunchers.begin(), kLaunchers.end(), command) != kLaunchers.end();
}

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
    fillers_.resize(processes_.size());
    for (const auto& [edge, count] : looks_.starved) {
      const auto& [waiter, filler, object] = edge;
      if (static_cast<double>(count) >=
          kMinFillerPart * static_cast<double>(looks_.sums[waiter].Count(ProcessState::kStarved))) {
        fillers_[waiter].push_back(filler);
      }
    }
    for (std::vector<std::size_t>& fillers : fillers_) {
      std::sort(fillers.begin(), fillers.end());
      fillers.erase(std::unique(fillers.begin(), fillers.end()), fillers.end());
    }
  }

  [[nodiscard]] std::vector<JobFacts> Jobs() const {
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      const Candidate candidate = Rate(i);
      if (candidate.score >= kMinScore) candidates.push_back(candidate);
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      return a.score != b.score ? a.score > b.score : a.consumer < b.consumer;
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
  [[nodiscard]] bool LivesLongEnough(const ProcessSums& sums) const {
    const double span = Seconds(window_.to - window_.from);
    return sums.looks >= kMinLooks && Seconds(sums.last - sums.first) >= kMinLife * span;
  }

  [[nodiscard]] Candidate Rate(std::size_t process) const {
    Candidate candidate;
    candidate.consumer = process;
    candidate.root = process;
    const ProcessSums& sums = looks_.sums[process];
    if (sums.looks > 0 && LivesLongEnough(sums)) {
      const auto looks = static_cast<double>(sums.looks);
      const double starved = static_cast<double>(sums.Count(ProcessState::kStarved)) / looks;
      const double helped =
          wakes_[process] ? kThreadsOnlyFactor * static_cast<double>(sums.main_futex_helped) / looks
                          : 0;
      candidate.score = std::max(starved, helped);
      if (starved >= helped) candidate.fillers = fillers_[process];
    }
    const bool chain = candidate.score >= kMinScore;
    if (chain) candidate.root = RootOf(process, candidate.fillers);
    if (processes_.At(process).maps_cuda) {
      candidate.score += 1;
      if (!chain) candidate.root = TopmostWithCuda(process);
    }
    const std::size_t parent = processes_.Parent(candidate.root);
    if (parent != kNoProcess && IsLauncher(capture_.Name(processes_.At(parent).command))) {
      candidate.root = parent;
    }
    return candidate;
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

  [[nodiscard]] std::size_t TopmostWithCuda(std::size_t process) const {
    std::size_t top = process;
    for (int i = 0; i < 256; ++i) {
      const std::size_t parent = processes_.Parent(top);
      if (parent == kNoProcess || !processes_.At(parent).maps_cuda) break;
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
  std::vector<std::vector<std::size_t>> fillers_;
};

}  // namespace

std::vector<JobFacts> DiscoverJobs(const Capture& capture) { return Discovery(capture).Jobs(); }

}  // namespace gpuwhy
