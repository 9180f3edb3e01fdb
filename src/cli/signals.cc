#include "cli/signals.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <system_error>

namespace gpuwhy {
namespace {

sigset_t EndSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

void IgnoreWriteSignals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

StopSignals::StopSignals() {
  const sigset_t set = EndSignals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  try {
    waiter_ = std::thread([this] { Wait(); });
  } catch (const std::system_error&) {
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  }
}

StopSignals::~StopSignals() {
  if (!waiter_.joinable()) return;
  done_ = true;
  // Sent to the waiter alone, which has it blocked and takes it in sigwait.
  // NOLINTNEXTLINE(bugprone-bad-signal-to-kill-thread): so nothing is ended by it
  pthread_kill(waiter_.native_handle(), SIGTERM);
  waiter_.join();
  const sigset_t set = EndSignals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void StopSignals::Wait() {
  const sigset_t set = EndSignals();
  int signal = 0;
  while (sigwait(&set, &signal) == 0 && !done_) {
    // The second one: the user does not want to wait for the report.
    if (stop_.exchange(true)) _exit(128 + signal);
  }
}

}  // namespace gpuwhy
