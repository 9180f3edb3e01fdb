#include "collect/scheduler.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "collect/worker_state.h"

namespace gpuwhy {
namespace {

constexpr Nanos kPartEvery = std::chrono::seconds(1);
constexpr Nanos kPairEvery = std::chrono::minutes(1);
// A signal handler can't wake a condition variable: its flag is looked at this often.
constexpr Nanos kStopPoll = std::chrono::milliseconds(25);

bool Stopped(const ScheduleOptions& options) {
  return options.stop != nullptr && options.stop->load(std::memory_order_relaxed);
}

}  // namespace

Scheduler::Scheduler(Clock& clock, std::vector<std::unique_ptr<Source>> sources)
    : clock_(clock),
      sources_(std::move(sources)),
      state_(std::make_shared<WorkerState>(clock, sources_)) {}

Scheduler::~Scheduler() { EndWorkers(false); }

void Scheduler::Start() {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    state_->MarkStarting(i);
    try {
      threads_.emplace_back([state = state_, i, source = std::move(sources_[i])]() mutable {
        state->Work(i, std::move(source));
      });
    } catch (const std::system_error& error) {
      // A limit on processes (RLIMIT_NPROC, pids.max) is no reason to see nothing at all.
      threads_.emplace_back();
      state_->MarkUnstarted(i, error.what());
    }
  }
  sources_.clear();
}

void Scheduler::Run(const ScheduleOptions& options, Capture& capture) {
  Start();
  const MonoTime began = clock_.Now();
  const MonoTime end = began + options.duration;
  MonoTime next_part = began + kPartEvery;
  MonoTime next_pair = began + kPairEvery;
  Capture part;
  part.clocks.push_back(clock_.Pair());
  for (MonoTime now = began; now < end && !Stopped(options); now = clock_.Now()) {
    Nanos nap = std::min(end, next_part) - now;
    if (options.stop != nullptr) nap = std::min(nap, kStopPoll);
    state_->Wait(nap);
    state_->GiveUpStuck(clock_.Now());
    if (clock_.Now() < next_part) continue;
    next_part = clock_.Now() + kPartEvery;
    if (clock_.Now() >= next_pair) {
      part.clocks.push_back(clock_.Pair());
      next_pair = next_pair + kPairEvery;
    }
    Deliver(options, std::exchange(part, Capture{}), capture);
  }
  part.clocks.push_back(clock_.Pair());
  Deliver(options, std::move(part), capture);
}

void Scheduler::Deliver(const ScheduleOptions& options, Capture&& part, Capture& capture) {
  Capture all = std::move(part);
  AppendSamples(all, state_->TakeSeen());
  if (options.on_part) options.on_part(all);
  AppendSamples(capture, std::move(all));
}

void Scheduler::EndWorkers(bool last_look) {
  state_->BeginEnd(last_look);
  const MonoTime began = clock_.Now();
  for (MonoTime now = began;; now = clock_.Now()) {
    const MonoTime next = state_->GiveUpLate(now, began);
    if (next <= now) break;
    state_->Wait(next - now);
  }
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    if (!threads_[i].joinable()) continue;
    if (state_->HasEnded(i)) {
      threads_[i].join();
    } else {
      threads_[i].detach();
    }
  }
  threads_.clear();
}

std::vector<SourceReport> Scheduler::Finish(Capture& capture) {
  EndWorkers(true);
  AppendSamples(capture, state_->TakeSeen());
  capture.clocks.push_back(clock_.Pair());
  return state_->Reports();
}

}  // namespace gpuwhy
