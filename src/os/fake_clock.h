// A clock that stands still until it is told to go on, for tests.
#pragma once

#include "base/mutex.h"
#include "os/clock.h"

namespace gpuwhy {

/// Thread safe. Starts at 1000 s of every clock; REALTIME at 1700000000 s. UTC.
class FakeClock final : public Clock {
 public:
  void Advance(Nanos d) EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    now_ += d;
  }
  void SetThreadCpu(Nanos cpu) EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    thread_cpu_ = cpu;
  }

  MonoTime Now() override EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return {now_};
  }
  ClockSample Pair() override EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return {{now_}, Nanos{0}, now_, kRealtimeOffset + now_, 0};
  }
  Nanos ThreadCpu() override EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return thread_cpu_;
  }
  Nanos ProcessCpu() override { return ThreadCpu(); }

 private:
  static constexpr Nanos kStart = std::chrono::seconds(1000);
  static constexpr Nanos kRealtimeOffset = std::chrono::seconds(1'699'999'000);

  Mutex mutex_;
  Nanos now_ GUARDED_BY(mutex_) = kStart;
  Nanos thread_cpu_ GUARDED_BY(mutex_){0};
};

}  // namespace gpuwhy
