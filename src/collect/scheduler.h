// Runs sources for a while, each on its own worker with its own cadence and deadline.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "collect/source.h"
#include "os/clock.h"

namespace gpuwhy {

struct ScheduleOptions {
  Nanos duration{0};
  /// Called on the caller's thread about once a second with all samples that arrived since (for a
  /// recording), and once more at the end. Names and details are not in it: they are the
  /// Interner's.
  std::function<void(const Capture& part)> on_part;
  /// Set from a signal handler: end early, keep what was seen. May be null.
  const std::atomic<bool>* stop = nullptr;
};

/// Owns the sources and their workers. A worker that is stuck in a look when the window ends is
/// detached and its source leaked on purpose: joining a thread in D state would hang the tool.
class Scheduler {
 public:
  Scheduler(Clock& clock, std::vector<std::unique_ptr<Source>> sources);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// Starts the workers on the first call; may be called again to go on (round two after
  /// discovery). Samples are appended to capture, clock pairings too (at the start, the end and
  /// each minute).
  void Run(const ScheduleOptions& options, Capture& capture);
  /// Stops the workers, waits for those that answer, and returns one report a source.
  [[nodiscard]] std::vector<SourceReport> Finish();

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace gpuwhy
