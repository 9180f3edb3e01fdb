// Runs sources for a while, each on its own worker with its own cadence and deadline.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "collect/source.h"
#include "os/clock.h"

namespace gpuwhy {

class WorkerState;

struct ScheduleOptions {
  Nanos duration{0};
  /// Called on the caller's thread about once a second with all samples that arrived since (for a
  /// recording), and once more at the end. Names and details are not in it: they are the
  /// Interner's.
  std::function<void(const Capture& part)> on_part;
  /// Set from a signal handler: end within 50 ms, keep what was seen. May be null.
  const std::atomic<bool>* stop = nullptr;
};

/// Owns the sources and their workers: one thread each, from the first Run() to Finish(), also
/// between two runs. Every worker fills a capture of its own and hands it over after each look, so
/// that no source ever waits for another.
///
/// A worker that is stuck is detached, never joined: joining a thread in D state would hang the
/// tool. It keeps its source and the state shared with it alive, and ends should it ever come back.
/// clock, and whatever the sources refer to, must outlive it.
///
/// To be used from one thread. The clock must run: a window ends when it says so.
class Scheduler {
 public:
  Scheduler(Clock& clock, std::vector<std::unique_ptr<Source>> sources);
  /// As Finish(), but without a last look.
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// Starts the workers on the first call; may be called again to go on (round two after
  /// discovery). Samples are appended to capture, clock pairings too (at the start, the end and
  /// each minute).
  void Run(const ScheduleOptions& options, Capture& capture);
  /// Every source takes a last look, so that counters span the whole window (a look that is under
  /// way is the last); waits for each at most its deadline, appends what came to capture, with a
  /// clock pairing, and returns one report a source, in the order they were given. To be called
  /// once, after the last Run().
  [[nodiscard]] std::vector<SourceReport> Finish(Capture& capture);

 private:
  void Start();
  /// Appends what arrived to part.
  void Deliver(const ScheduleOptions& options, Capture&& part, Capture& capture);
  /// Waits for the workers to end, detaches those that don't.
  void EndWorkers(bool last_look);

  Clock& clock_;
  std::vector<std::unique_ptr<Source>> sources_;  ///< until Start() hands them to their workers
  std::shared_ptr<WorkerState> state_;
  std::vector<std::thread> threads_;
};

}  // namespace gpuwhy
