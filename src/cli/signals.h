// SIGINT and SIGTERM end the watching, not the tool: what was seen until then is still reported.
#pragma once

#include <atomic>
#include <thread>

namespace gpuwhy {

/// A write to a reader that went away then fails with EPIPE, one over the file size limit (ulimit
/// -f) with EFBIG, instead of ending the process.
void IgnoreWriteSignals();

/// While it lives, the first SIGINT or SIGTERM sets the flag and the second ends the process at
/// once (exit 128 + n). To be made before other threads are started: they inherit the blocked
/// signals. A thread that waits for them takes the place of handlers, which would need global
/// state. Where no thread can be had (a limit on processes), the signals end the process as usual.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Others may set it too.
  [[nodiscard]] std::atomic<bool>& Flag() { return stop_; }

 private:
  void Wait();

  std::atomic<bool> stop_{false};
  std::atomic<bool> done_{false};
  std::thread waiter_;
};

}  // namespace gpuwhy
