// What the workers of a scheduler share with it. Internal to the scheduler.
#pragma once

#include <cstddef>
#include <memory>
#include <random>
#include <vector>

#include "base/mutex.h"
#include "capture/capture.h"
#include "collect/source.h"
#include "os/clock.h"

namespace gpuwhy {

/// Shared by the scheduler and every worker, each of which keeps it alive. After the scheduler gave
/// a worker up, that worker touches nothing but this object and its own source.
class WorkerState {
 public:
  WorkerState(Clock& clock, const std::vector<std::unique_ptr<Source>>& sources);

  /// To be called before the thread of worker number index is started.
  void MarkStarting(std::size_t index) EXCLUDES(mutex_);
  /// Body of that thread: looks until it is told to end.
  void Work(std::size_t index, std::unique_ptr<Source> source) EXCLUDES(mutex_);
  /// The thread could not be started.
  void MarkUnstarted(std::size_t index, const std::string& reason) EXCLUDES(mutex_);

  /// Lets time pass: at most d, and less when a worker ends.
  void Wait(Nanos d) EXCLUDES(mutex_);
  /// Gives up the workers whose look takes longer than kStuckFactor deadlines.
  void GiveUpStuck(MonoTime now) EXCLUDES(mutex_);
  /// What arrived since the last call.
  [[nodiscard]] Capture TakeSeen() EXCLUDES(mutex_);

  /// Tells the workers to end, after a last look if asked for.
  void BeginEnd(bool last_look) EXCLUDES(mutex_);
  /// Gives up the workers that should have ended by now; returns when the next one should, or now
  /// where none is left to wait for.
  [[nodiscard]] MonoTime GiveUpLate(MonoTime now, MonoTime began) EXCLUDES(mutex_);
  /// Whether the worker's thread is about to return: joining it takes no time.
  [[nodiscard]] bool HasEnded(std::size_t index) EXCLUDES(mutex_);
  [[nodiscard]] std::vector<SourceReport> Reports() EXCLUDES(mutex_);

 private:
  enum class Phase : unsigned char { kRunning, kLastLook, kQuit };

  struct Worker {
    SourceReport report;
    Nanos deadline{0};
    MonoTime due;          // of the next look, while periodic
    bool periodic = true;  // false: after the first look, only the last one follows
    bool looking = false, last_look_begun = false, given_up = false;
    bool ended = true;    // its thread is about to return, or was never started
    MonoTime look_began;  // of the look under way, or the last one
    // Of the looks that came by cadence, for the period that was reached.
    MonoTime first_began, latest_began;
    std::uint64_t cadenced = 0;

    void BeginLook(MonoTime now);
    void GiveUp();
  };

  // The next look of a worker begins, or it is time to end (false).
  [[nodiscard]] bool AwaitTurn(std::size_t index, Nanos deadline) EXCLUDES(mutex_);
  // Takes over what a look gave. False where the worker was given up meanwhile.
  [[nodiscard]] bool HandOver(std::size_t index, Capture&& seen,
                              const std::vector<Missing>& missing) EXCLUDES(mutex_);
  void SetDue(std::size_t index, Nanos sleep) EXCLUDES(mutex_);

  Clock& clock_;
  const MonoTime made_;
  Mutex mutex_;
  ConditionVariable changed_;
  Phase phase_ GUARDED_BY(mutex_) = Phase::kRunning;
  std::vector<Worker> workers_ GUARDED_BY(mutex_);
  Capture seen_ GUARDED_BY(mutex_);
};

}  // namespace gpuwhy
