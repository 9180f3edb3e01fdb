// A thread for calls into foreign code that may never return.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/time.h"
#include "os/clock.h"

namespace gpuwhy {

/// Told by the work itself which call it is in, so that one that hangs is known by name.
class CallWatch {
 public:
  CallWatch() = default;
  CallWatch(const CallWatch&) = delete;
  CallWatch& operator=(const CallWatch&) = delete;
  virtual ~CallWatch() = default;
  /// name must live for ever: a literal.
  virtual void Begin(const char* name) = 0;
};

/// Runs work on a thread of its own, which is given up, never joined, when one of its calls takes
/// longer than its deadline. To be used from one thread. clock must outlive the thread, also when
/// it was given up.
class CallThread {
 public:
  explicit CallThread(Clock& clock);
  /// Joins the thread, or leaves it alone where it hangs.
  ~CallThread();
  CallThread(const CallThread&) = delete;
  CallThread& operator=(const CallThread&) = delete;

  /// Returns when the work has ended: true; or when one of its calls lasted longer than deadline:
  /// false. From then on nothing runs any more, and every Run is false at once. The work must own,
  /// or share, all that it touches: it may go on, or come back, at any time.
  [[nodiscard]] bool Run(std::function<void(CallWatch&)> work, Nanos deadline);
  /// The call that the thread was given up in; empty where it was not.
  [[nodiscard]] std::string StuckIn() const { return stuck_in_; }

 private:
  class State;
  std::shared_ptr<State> state_;
  std::string stuck_in_;
};

}  // namespace gpuwhy
