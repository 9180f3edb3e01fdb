// A mutex that clang's -Wthread-safety understands (std::mutex carries no annotations in
// libstdc++).
#pragma once

#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define GPUWHY_TSA(x) __attribute__((x))
#else
#define GPUWHY_TSA(x)
#endif
#define GUARDED_BY(m) GPUWHY_TSA(guarded_by(m))
#define REQUIRES(m) GPUWHY_TSA(requires_capability(m))
#define EXCLUDES(m) GPUWHY_TSA(locks_excluded(m))

namespace gpuwhy {

class GPUWHY_TSA(capability("mutex")) Mutex {
 public:
  void lock() GPUWHY_TSA(acquire_capability()) { mutex_.lock(); }
  void unlock() GPUWHY_TSA(release_capability()) { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

class GPUWHY_TSA(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) GPUWHY_TSA(acquire_capability(mutex)) : mutex_(mutex) {
    mutex_.lock();
  }
  ~MutexLock() GPUWHY_TSA(release_capability()) { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

/// Waits with a Mutex; the caller holds it.
using ConditionVariable = std::condition_variable_any;

}  // namespace gpuwhy
