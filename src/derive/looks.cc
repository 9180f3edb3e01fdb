#include "derive/looks.h"

#include <algorithm>
#include <optional>

namespace gpuwhy {
namespace {

/// How near to a working process an idle one is: the working one itself is 0.
constexpr int kNoLevel = 1 << 30;
/// Chains longer than this are followed no further: real ones have two or three links.
constexpr int kMaxLevels = 8;

struct Classified {
  bool run_or_storage = false, queue_read = false, queue_write = false, requests = false,
       external = false, network = false, timer = false, unseen = false, unproven = false,
       unnamed = false;
};

class TickReader {
 public:
  TickReader(const ProcessTable& processes, const ObjectIndex& objects, const LookOptions& options,
             Looks& looks)
      : processes_(processes),
        objects_(objects),
        options_(options),
        looks_(looks),
        level_(processes.size(), kNoLevel),
        part_(processes.size(), Part::kNotSeen) {}

  /// Fills in states of looks_.processes[first, last), all of one tick.
  void Read(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) NoteWork(looks_.processes[i]);
    for (std::size_t i = first; i < last; ++i) NotePart(looks_.processes[i]);
    FollowBlame(first, last);
    NoteFull(first, last);
    for (std::size_t i = first; i < last; ++i) Decide(looks_.processes[i]);
    for (std::size_t i = first; i < last; ++i) {
      level_[looks_.processes[i].process] = kNoLevel;
      part_[looks_.processes[i].process] = Part::kNotSeen;
    }
  }

 private:
  /// What a process is to a queue that it shares with those below it, at one look.
  enum class Part : unsigned char {
    kNotSeen,
    kWantsInput,  ///< it waits for a queue itself
    kLaunches,    ///< it only waits for its children to end
    kBusy,        ///< it computes, sleeps or waits for something else: it asks for nothing now
  };

  void NoteWork(ProcessLook& look) {
    for (std::size_t t = look.first; t < look.last; ++t) {
      const WaitClass wait = looks_.threads[t].wait;
      if (!IsActive(wait)) continue;
      if (IsStorage(wait) && looks_.threads[t].by_channel) {
        ++looks_.sums[look.process].storage_by_channel;
      }
      ++look.active_threads;
      look.work[static_cast<std::size_t>(WorkOf(wait))] += 1;
    }
    if (look.active_threads == 0) return;
    for (double& part : look.work) part /= look.active_threads;
    look.state = ProcessState::kActive;
    level_[look.process] = 0;
  }

  void NotePart(const ProcessLook& look) {
    const std::int32_t pid = processes_.Pid(look.process);
    Part part = Part::kBusy;
    for (std::size_t t = look.first; t < look.last; ++t) {
      const ThreadInLook& thread = looks_.threads[t];
      if (thread.wait == WaitClass::kQueueRead || thread.wait == WaitClass::kUnseen) {
        part = Part::kWantsInput;
        break;
      }
      if (thread.wait == WaitClass::kChildWait && thread.tid == pid) part = Part::kLaunches;
    }
    part_[look.process] = part;
  }

  /// Two siblings at a semaphore or event that the process above them shares: if that one asks for
  /// nothing, they wait for it (to drain, or to hand out work) and not for each other.
  [[nodiscard]] bool WaitsForTheOneAbove(std::size_t waiter, const FarEnd& end,
                                         const std::vector<FarEnd>& holders) const {
    if (processes_.IsAncestor(waiter, end.process)) return false;
    return std::any_of(holders.begin(), holders.end(), [&](const FarEnd& holder) {
      if (holder.object != end.object || !processes_.IsAncestor(holder.process, waiter)) {
        return false;
      }
      const Part part = part_[holder.process];
      return part == Part::kBusy || part == Part::kNotSeen;
    });
  }

  /// A wait counts where its far end works at that look; then, link by link, where the far end is
  /// itself starved. Edges only lead towards the working end, so two processes that wait for each
  /// other blame nobody.
  void FollowBlame(std::size_t first, std::size_t last) {
    const int levels = options_.transitive ? kMaxLevels : 1;
    for (int level = 1; level <= levels; ++level) {
      bool found = false;
      for (std::size_t i = first; i < last; ++i) {
        ProcessLook& look = looks_.processes[i];
        if (level_[look.process] != kNoLevel || !options_.wakes[look.process]) continue;
        if (!Starved(look, level)) continue;
        look.state = ProcessState::kStarved;
        starved_at_level_.push_back(look.process);
        found = true;
      }
      for (const std::size_t process : starved_at_level_) level_[process] = level;
      starved_at_level_.clear();
      if (!found) break;
    }
  }

  bool Starved(const ProcessLook& look, int level) {
    bool starved = false;
    for (std::size_t t = look.first; t < look.last; ++t) {
      const ThreadInLook& thread = looks_.threads[t];
      if (thread.wait != WaitClass::kQueueRead) continue;
      for (const FarEnd& end : objects_.Wait(thread.detail).fillers) {
        if (level_[end.process] >= level) continue;
        // Where full and empty look alike (semaphores, events), a child that waits for its busy
        // parent has filled its queue: data flow towards the parent.
        if (!objects_.Object(end.object).directed &&
            (processes_.IsAncestor(end.process, look.process) ||
             WaitsForTheOneAbove(look.process, end, objects_.Wait(thread.detail).fillers))) {
          continue;
        }
        edges_.emplace_back(look.process, end.process, end.object);
        starved = true;
      }
    }
    std::sort(edges_.begin(), edges_.end());
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    for (const EdgeKey& edge : edges_) ++looks_.starved[edge];
    edges_.clear();
    return starved;
  }

  void NoteFull(std::size_t first, std::size_t last) {
    bool some_full = false;
    for (std::size_t i = first; i < last; ++i) {
      ProcessLook& look = looks_.processes[i];
      if (look.state == ProcessState::kOther && InWait(look, WaitClass::kQueueWrite)) {
        look.state = ProcessState::kFull;
        some_full = true;
      }
    }
    for (std::size_t i = first; i < last; ++i) {
      ProcessLook& look = looks_.processes[i];
      if (look.state == ProcessState::kOther && SharesFullQueue(look, some_full)) {
        look.state = ProcessState::kFull;
      }
      if (look.state == ProcessState::kFull) NoteFullEdges(look);
    }
  }

  [[nodiscard]] bool InWait(const ProcessLook& look, WaitClass wait) const {
    for (std::size_t t = look.first; t < look.last; ++t) {
      if (looks_.threads[t].wait == wait) return true;
    }
    return false;
  }

  /// A wait on a shared word that a parent holds: for the queue's write lock or its bound, if the
  /// parent works (it drains slowly) or a sibling was caught in the full queue itself.
  [[nodiscard]] bool SharesFullQueue(const ProcessLook& look, bool some_full) const {
    for (std::size_t t = look.first; t < look.last; ++t) {
      const ThreadInLook& thread = looks_.threads[t];
      if (thread.wait != WaitClass::kQueueRead) continue;
      for (const FarEnd& end : objects_.Wait(thread.detail).drainers) {
        if (objects_.Object(end.object).directed) continue;
        if (!processes_.IsAncestor(end.process, look.process)) continue;
        if (some_full || level_[end.process] == 0) return true;
        // Nobody wakes a pool without work: it is ahead of nobody.
        if (part_[end.process] == Part::kBusy && options_.wakes[look.process]) return true;
      }
    }
    return false;
  }

  void NoteFullEdges(const ProcessLook& look) {
    for (std::size_t t = look.first; t < look.last; ++t) {
      const ThreadInLook& thread = looks_.threads[t];
      const bool symmetric = thread.wait == WaitClass::kQueueRead;
      if (!symmetric && thread.wait != WaitClass::kQueueWrite) continue;
      for (const FarEnd& end : objects_.Wait(thread.detail).drainers) {
        if (symmetric && objects_.Object(end.object).directed) continue;
        edges_.emplace_back(look.process, end.process, end.object);
      }
    }
    std::sort(edges_.begin(), edges_.end());
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    for (const EdgeKey& edge : edges_) ++looks_.full[edge];
    edges_.clear();
  }

  [[nodiscard]] Classified Gather(const ProcessLook& look, WaitClass& main) const {
    Classified seen;
    const std::int32_t pid = processes_.Pid(look.process);
    for (std::size_t t = look.first; t < look.last; ++t) {
      const ThreadInLook& thread = looks_.threads[t];
      if (thread.tid == pid) main = thread.wait;
      const WaitShape& shape = objects_.Wait(thread.detail).shape;
      seen.requests |= thread.wait == WaitClass::kRequests ||
                       (thread.wait == WaitClass::kQueueRead && shape.requests);
      seen.external |= thread.wait == WaitClass::kExternalRead;
      seen.network |= thread.wait == WaitClass::kNetworkClient;
      seen.timer |= thread.wait == WaitClass::kTimer;
      seen.unseen |= thread.wait == WaitClass::kUnseen;
      seen.unnamed |= thread.wait == WaitClass::kLock || thread.wait == WaitClass::kOther;
      seen.queue_read |= thread.wait == WaitClass::kQueueRead && shape.queue;
      seen.unproven |= thread.wait == WaitClass::kPrivateFutex ||
                       (thread.wait == WaitClass::kQueueRead && !shape.queue);
    }
    return seen;
  }

  /// What is left for a process that neither works nor is starved nor fills a full queue. The main
  /// thread decides between a timer and a wait that proves nothing: helpers that sleep are common.
  void Decide(ProcessLook& look) {
    ProcessSums& sums = looks_.sums[look.process];
    WaitClass main = WaitClass::kOther;
    const Classified seen = Gather(look, main);
    if (main == WaitClass::kPrivateFutex && look.active_threads > 0) ++sums.main_futex_helped;
    if (main == WaitClass::kChildWait) ++sums.waits_for_child;
    if (main == WaitClass::kStopped) ++sums.stopped;
    if (look.state == ProcessState::kOther) {
      const bool idle_timer = main == WaitClass::kTimer || (seen.timer && !seen.unproven);
      if (seen.requests) {
        look.state = ProcessState::kRequests;
      } else if (seen.unseen) {
        look.state = ProcessState::kUnseen;
      } else if (seen.network || seen.external) {
        (seen.network ? sums.network : sums.external) += 1;
      } else if (main == WaitClass::kChildWait || main == WaitClass::kDevice || seen.queue_read) {
        if (seen.queue_read) NoteIdleQueue(look);
      } else if (idle_timer) {
        look.state = ProcessState::kRequests;
        ++sums.timer;
      } else if (seen.unproven) {
        look.state = ProcessState::kUnproven;
      } else if (seen.unnamed) {
        ++sums.unnamed;
      }
    }
    ++sums.looks;
    ++sums.states[static_cast<std::size_t>(look.state)];
    sums.active_threads += look.active_threads;
    for (std::size_t w = 0; w < kWorks; ++w) sums.work[w] += look.work[w];
  }

  void NoteIdleQueue(const ProcessLook& look) {
    ++looks_.sums[look.process].idle_queue;
    for (std::size_t t = look.first; t < look.last; ++t) {
      const ThreadInLook& thread = looks_.threads[t];
      if (thread.wait != WaitClass::kQueueRead) continue;
      for (const FarEnd& end : objects_.Wait(thread.detail).fillers) {
        edges_.emplace_back(look.process, end.process, end.object);
      }
    }
    std::sort(edges_.begin(), edges_.end());
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    for (const EdgeKey& edge : edges_) ++looks_.idle[edge];
    edges_.clear();
  }

  const ProcessTable& processes_;
  const ObjectIndex& objects_;
  const LookOptions& options_;
  Looks& looks_;
  std::vector<int> level_;
  std::vector<Part> part_;
  std::vector<std::size_t> starved_at_level_;
  std::vector<EdgeKey> edges_;
};

bool IsByChannel(const ThreadSample& sample) {
  return sample.call_state == SyscallState::kDenied && sample.wchan_state == WchanState::kName;
}

/// Without the call: what the process holds of the kind that the wait channel names.
void TakeCandidates(const ThreadSample& sample, const ObjectIndex& objects, ThreadInLook& thread) {
  const QueueGuess guess = objects.GuessOf(sample);
  if (guess.detail == 0) return;
  thread.detail = guess.detail;
  thread.wait = guess.writes ? WaitClass::kQueueWrite : WaitClass::kQueueRead;
}

void GatherThreads(const Capture& capture, const ProcessTable& processes,
                   const std::vector<bool>& members, const ObjectIndex& objects,
                   const LookOptions& options, Looks& looks) {
  for (const ThreadSample& sample : capture.thread_samples) {
    if (sample.at < options.from || sample.at > options.to) continue;
    const std::optional<std::size_t> process = processes.Index(sample.pid);
    if (!process || !members[*process]) continue;
    const WaitClass wait =
        Classify(sample, objects.Family(sample.wchan), objects.Wait(sample.detail).shape);
    if (wait == WaitClass::kGone) continue;
    ThreadInLook thread{sample.tick, *process, sample.tid, wait, sample.detail, sample.at};
    thread.by_channel = IsByChannel(sample);
    if (thread.by_channel && wait == WaitClass::kUnseen) TakeCandidates(sample, objects, thread);
    if (thread.by_channel && thread.wait != WaitClass::kUnseen) ++looks.by_channel;
    looks.threads.push_back(thread);
  }
  const auto key = [](const ThreadInLook& look) {
    return std::make_tuple(look.tick, look.process, look.tid);
  };
  std::stable_sort(
      looks.threads.begin(), looks.threads.end(),
      [&key](const ThreadInLook& a, const ThreadInLook& b) { return key(a) < key(b); });
  looks.threads.erase(std::unique(looks.threads.begin(), looks.threads.end(),
                                  [&key](const ThreadInLook& a, const ThreadInLook& b) {
                                    return key(a) == key(b);
                                  }),
                      looks.threads.end());
}

void GroupByProcess(Looks& looks) {
  for (std::size_t t = 0; t < looks.threads.size(); ++t) {
    const ThreadInLook& thread = looks.threads[t];
    if (looks.processes.empty() || looks.processes.back().tick != thread.tick ||
        looks.processes.back().process != thread.process) {
      ProcessLook look;
      look.tick = thread.tick;
      look.process = thread.process;
      look.first = t;
      looks.processes.push_back(look);
    }
    looks.processes.back().last = t + 1;
    ProcessSums& sums = looks.sums[thread.process];
    if (sums.first == MonoTime{} || thread.at < sums.first) sums.first = thread.at;
    sums.last = std::max(sums.last, thread.at);
  }
}

}  // namespace

Work WorkOf(WaitClass wait) {
  switch (wait) {
    case WaitClass::kStorageRead:
    case WaitClass::kStorageAsync:
      return Work::kRead;
    case WaitClass::kStorageOpen:
      return Work::kOpen;
    case WaitClass::kStorageWrite:
      return Work::kWrite;
    case WaitClass::kFault:
      return Work::kFault;
    case WaitClass::kMixed:
      return Work::kMixed;
    default:
      return Work::kRun;
  }
}

Looks LookAt(const Capture& capture, const ProcessTable& processes,
             const std::vector<bool>& members, const ObjectIndex& objects,
             const LookOptions& options) {
  Looks looks;
  looks.sums.resize(processes.size());
  GatherThreads(capture, processes, members, objects, options, looks);
  GroupByProcess(looks);
  TickReader reader(processes, objects, options, looks);
  for (std::size_t first = 0; first < looks.processes.size();) {
    std::size_t last = first;
    while (last < looks.processes.size() &&
           looks.processes[last].tick == looks.processes[first].tick) {
      ++last;
    }
    reader.Read(first, last);
    ++looks.ticks;
    first = last;
  }
  return looks;
}

}  // namespace gpuwhy
