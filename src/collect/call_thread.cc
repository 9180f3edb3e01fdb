#include "collect/call_thread.h"

#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "base/mutex.h"

namespace gpuwhy {
namespace {

// How often the one who waits looks whether a call takes too long.
constexpr std::chrono::milliseconds kGlance{20};

}  // namespace

/// Shared with the thread, which keeps it alive as long as it runs.
class CallThread::State final : public CallWatch {
 public:
  explicit State(Clock& clock) : clock_(clock) {}

  void Begin(const char* name) override {
    const MutexLock lock(mutex_);
    call_ = name;
    began_ = clock_.Now();
  }

  void Loop() {
    while (true) {
      std::function<void(CallWatch&)> work;
      {
        const MutexLock lock(mutex_);
        while (!quit_ && !work_) changed_.wait(mutex_);
        if (!work_) return;
        work = std::exchange(work_, nullptr);
      }
      work(*this);
      {
        const MutexLock lock(mutex_);
        busy_ = false;
        changed_.notify_all();
      }
    }
  }

  /// False, and the call, where one took too long.
  bool Do(std::function<void(CallWatch&)> work, Nanos deadline, std::string& stuck_in) {
    const MutexLock lock(mutex_);
    work_ = std::move(work);
    busy_ = true;
    call_ = "";
    began_ = clock_.Now();
    changed_.notify_all();
    while (busy_) {
      changed_.wait_for(mutex_, kGlance);
      if (busy_ && clock_.Now() - began_ > deadline) {
        stuck_in = call_;
        return false;
      }
    }
    return true;
  }

  bool EnsureStarted(const std::shared_ptr<State>& self) {
    if (thread_.joinable()) return true;
    try {
      thread_ = std::thread([self] { self->Loop(); });
    } catch (const std::system_error&) {
      return false;
    }
    return true;
  }

  void Quit() {
    {
      const MutexLock lock(mutex_);
      quit_ = true;
      changed_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
  }
  /// Should it ever come back, it ends.
  void GiveUp() {
    const MutexLock lock(mutex_);
    quit_ = true;
    thread_.detach();
  }

 private:
  Clock& clock_;
  Mutex mutex_;
  ConditionVariable changed_;
  std::function<void(CallWatch&)> work_ GUARDED_BY(mutex_);
  bool busy_ GUARDED_BY(mutex_) = false;
  bool quit_ GUARDED_BY(mutex_) = false;
  const char* call_ GUARDED_BY(mutex_) = "";
  MonoTime began_ GUARDED_BY(mutex_);
  std::thread thread_;  // only the owner of the CallThread touches it
};

CallThread::CallThread(Clock& clock) : state_(std::make_shared<State>(clock)) {}

CallThread::~CallThread() {
  if (stuck_in_.empty()) state_->Quit();
}

bool CallThread::Run(std::function<void(CallWatch&)> work, Nanos deadline) {
  if (!stuck_in_.empty()) return false;
  if (!state_->EnsureStarted(state_)) {
    stuck_in_ = "pthread_create";
    return false;
  }
  if (state_->Do(std::move(work), deadline, stuck_in_)) return true;
  if (stuck_in_.empty()) stuck_in_ = "?";
  state_->GiveUp();
  return false;
}

}  // namespace gpuwhy
