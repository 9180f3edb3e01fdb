#include "derive/chain.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "derive/hangs.h"
#include "derive/wakes.h"

namespace gpuwhy {
namespace {

constexpr double kMinShare = 0.01;       ///< below it a process is not said to be starved
constexpr double kMinFillerPart = 0.01;  ///< of the starved looks: less may be chance
/// A process that works less than this and waits for others hands the blame on.
constexpr double kMinWork = 0.05;
constexpr double kMostly = 0.5;

using Weights = std::map<std::size_t, std::uint64_t>;

double Part(std::uint64_t count, std::uint64_t of) {
  return of == 0 ? 0 : static_cast<double>(count) / static_cast<double>(of);
}

class ChainFinder {
 public:
  ChainFinder(const JobInWindow& job, const Looks& looks) : job_(job), looks_(looks) {
    const std::size_t count = job.processes.size();
    starved_.resize(count);
    full_.resize(count);
    for (const auto& [edge, weight] : looks.starved) {
      starved_[std::get<0>(edge)][std::get<1>(edge)] += weight;
    }
    for (const auto& [edge, weight] : looks.full) {
      full_[std::get<1>(edge)][std::get<0>(edge)] += weight;
    }
    // A worker that waits for its ancestor is ahead of it: the other way round to be starved.
    for (const auto& [edge, weight] : looks.starved) {
      const auto& [waiter, far_end, object] = edge;
      if (job.processes.IsAncestor(far_end, waiter)) full_[far_end][waiter] += weight;
    }
    for (std::size_t waiter = 0; waiter < count; ++waiter) {
      const auto least =
          kMinFillerPart * static_cast<double>(Sums(waiter).Count(ProcessState::kStarved));
      for (auto it = starved_[waiter].begin(); it != starved_[waiter].end();) {
        it = static_cast<double>(it->second) < least ? starved_[waiter].erase(it) : std::next(it);
      }
    }
  }

  [[nodiscard]] Chain Find(std::int32_t given_pid) const {
    if (const std::optional<std::size_t> consumer = StarvedConsumer(given_pid)) {
      return {*consumer, ConsumerProof::kStarved, Fillers(*consumer)};
    }
    if (const std::optional<std::size_t> consumer = FullConsumer()) {
      std::vector<std::size_t> fillers;
      for (const auto& [filler, weight] : full_[*consumer]) fillers.push_back(filler);
      return {*consumer, ConsumerProof::kFull, std::move(fillers)};
    }
    if (const std::optional<std::size_t> consumer = ThreadedConsumer()) {
      return {*consumer, ConsumerProof::kThreads, {}};
    }
    const std::size_t worker = BelowLaunchers(job_.root);
    return {worker, Sums(worker).looks > 0 ? ConsumerProof::kRoot : ConsumerProof::kNone, {}};
  }

 private:
  [[nodiscard]] const ProcessSums& Sums(std::size_t process) const { return looks_.sums[process]; }

  [[nodiscard]] double StarvedShare(std::size_t process) const {
    return Part(Sums(process).Count(ProcessState::kStarved), Sums(process).looks);
  }

  /// Are most of those that it waits for below it?
  [[nodiscard]] bool AboveItsFillers(std::size_t process, const Weights& fillers) const {
    std::uint64_t below = 0;
    std::uint64_t all = 0;
    for (const auto& [filler, weight] : fillers) {
      all += weight;
      if (job_.processes.IsAncestor(process, filler)) below += weight;
    }
    return 2 * below > all;
  }

  /// Workers wait for their next index from above while the consumer computes, and a reader of the
  /// log waits for the job: neither is the consumer. A process with CUDA may wait for its parent.
  [[nodiscard]] bool FeedsItsFillers(std::size_t process) const {
    if (job_.processes.At(process).maps_cuda) return false;
    std::uint64_t above = 0;
    std::uint64_t all = 0;
    bool fills_cuda = false;
    for (const auto& [filler, weight] : starved_[process]) {
      all += weight;
      if (job_.processes.IsAncestor(filler, process)) above += weight;
      fills_cuda |= job_.processes.At(filler).maps_cuda;
    }
    return 2 * above > all || (fills_cuda && !AboveItsFillers(process, starved_[process]));
  }

  /// The end of the chain that nobody else waits for: a reader of the job's log (tee) waits for
  /// the job as well, but is not above it; workers wait for their next index, from above.
  [[nodiscard]] std::optional<std::size_t> StarvedConsumer(std::int32_t given_pid) const {
    std::vector<bool> waited_for(looks_.sums.size(), false);
    std::vector<std::size_t> candidates;
    for (const std::size_t process : job_.tree) {
      if (starved_[process].empty() || StarvedShare(process) < kMinShare) continue;
      if (FeedsItsFillers(process)) continue;
      candidates.push_back(process);
    }
    for (const std::size_t process : candidates) {
      if (!AboveItsFillers(process, starved_[process])) continue;
      for (const auto& [filler, weight] : starved_[process]) waited_for[filler] = true;
    }
    std::optional<std::size_t> best;
    std::tuple<bool, bool, bool, bool, double> best_rank;
    for (const std::size_t process : candidates) {
      const ProcessSeen& seen = job_.processes.At(process);
      const std::tuple<bool, bool, bool, bool, double> rank{
          seen.pid == given_pid, AboveItsFillers(process, starved_[process]), seen.maps_cuda,
          !waited_for[process], StarvedShare(process)};
      if (best && rank <= best_rank) continue;
      best = process;
      best_rank = rank;
    }
    return best;
  }

  [[nodiscard]] std::optional<std::size_t> FullConsumer() const {
    std::optional<std::size_t> best;
    std::pair<bool, std::uint64_t> best_rank;
    for (const std::size_t process : job_.tree) {
      std::uint64_t weight = 0;
      for (const auto& [filler, looks] : full_[process]) weight += looks;
      if (weight == 0 || Part(weight, looks_.ticks) < kMinShare) continue;
      const std::pair<bool, std::uint64_t> rank{AboveItsFillers(process, full_[process]), weight};
      if (best && rank <= best_rank) continue;
      best = process;
      best_rank = rank;
    }
    return best;
  }

  [[nodiscard]] std::optional<std::size_t> ThreadedConsumer() const {
    std::optional<std::size_t> best;
    for (const std::size_t process : job_.tree) {
      const ProcessSums& sums = Sums(process);
      const Reading<double>& wakes = job_.cpu[process].wakes;
      if (!wakes || *wakes <= kMinWakes) continue;
      if (Part(sums.main_futex_helped, sums.looks) < kMinWork) continue;
      if (!best || sums.main_futex_helped > Sums(*best).main_futex_helped) best = process;
    }
    return best;
  }

  /// Follows the blame from the consumer to those that work.
  [[nodiscard]] std::vector<std::size_t> Fillers(std::size_t consumer) const {
    std::vector<bool> reached(looks_.sums.size(), false);
    std::vector<std::size_t> queue{consumer};
    reached[consumer] = true;
    std::vector<std::size_t> fillers;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      bool hands_on = false;
      for (const auto& [filler, weight] : starved_[queue[next]]) {
        hands_on |= filler != consumer;
        if (reached[filler]) continue;
        reached[filler] = true;
        queue.push_back(filler);
      }
      if (next == 0) continue;
      const ProcessSums& sums = Sums(queue[next]);
      const double work = Part(sums.Count(ProcessState::kActive), sums.looks);
      if (work >= kMinWork || !hands_on) fillers.push_back(queue[next]);
    }
    std::sort(fillers.begin(), fillers.end());
    return fillers;
  }

  /// A launcher waits for its child, or looks after it now and then, while the child does the work.
  [[nodiscard]] std::size_t BelowLaunchers(std::size_t root) const {
    std::size_t at = root;
    for (int i = 0; i < 16; ++i) {
      const ProcessSums& sums = Sums(at);
      const bool launches = Part(sums.waits_for_child, sums.looks) > kMostly;
      const bool sleeps = Part(sums.timer, sums.looks) > kMostly;
      std::size_t busiest = kNoProcess;
      for (const std::size_t child : job_.tree) {
        if (job_.processes.Parent(child) != at || child == at) continue;
        if (busiest == kNoProcess || Rank(child) > Rank(busiest)) busiest = child;
      }
      if (busiest == kNoProcess) return at;
      const ProcessSums& child = Sums(busiest);
      const bool child_works = Part(child.Count(ProcessState::kActive), child.looks) > 0.2;
      if (!launches && !(sleeps && child_works)) return at;
      at = busiest;
    }
    return at;
  }

  /// Whose CPU time was not counted is not taken for the busiest while another's was.
  [[nodiscard]] std::pair<double, std::uint64_t> Rank(std::size_t process) const {
    return {job_.cpu[process].run.ValueOr(0), Sums(process).Count(ProcessState::kActive)};
  }

  const JobInWindow& job_;
  const Looks& looks_;
  std::vector<Weights> starved_;  ///< by waiter: far ends
  std::vector<Weights> full_;     ///< by drainer: those that wait for it
};

}  // namespace

Looks LookAtJob(const JobInWindow& job, const ObjectIndex& objects) {
  LookOptions options;
  options.from = job.window.from;
  options.to = job.window.to;
  options.wakes = WakesOften(job.cpu);
  Looks looks = LookAt(job.capture, job.processes, job.members, objects, options);
  std::vector<bool> hangs(job.processes.size(), false);
  for (const std::size_t member : job.tree) hangs[member] = HangsInStorage(looks.sums[member]);
  const bool changed = WakeAbove(job.processes, hangs, job.members, options.wakes);
  return changed ? LookAt(job.capture, job.processes, job.members, objects, options) : looks;
}

Chain FindChain(const JobInWindow& job, const Looks& looks, std::int32_t given_pid) {
  return ChainFinder(job, looks).Find(given_pid);
}

}  // namespace gpuwhy
