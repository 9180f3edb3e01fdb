#include "collect/worker_state.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/i18n.h"

namespace gpuwhy {
namespace {

// Ten deadlines: a source that is merely slow on a loaded machine still comes back within that.
constexpr int kStuckFactor = 10;
// Reasons may hold names that a job made up; more than this of one source tell nobody anything.
constexpr std::size_t kMaxReasons = 64;
// A source whose look takes longer than its period still leaves this share of the CPU's time.
constexpr int kBreatherShare = 10;

void AddReason(SourceReport& report, const Missing& missing) {
  if (report.missing.size() >= kMaxReasons) return;
  const bool known =
      std::find(report.missing.begin(), report.missing.end(), missing) != report.missing.end();
  if (!known) report.missing.push_back(missing);
}

Missing TimedOut(const SourceReport& report, Nanos deadline) {
  return {Why::kTimedOut,
          Format(_("{}: no answer within {:.3g} s"), report.name, Seconds(deadline))};
}

Nanos Draw(Nanos period, double jitter, std::minstd_rand& random) {
  const double width = std::clamp(jitter, 0.0, 1.0);
  if (width == 0) return period;
  std::uniform_real_distribution<double> factor(1 - width, 1 + width);
  return Nanos(static_cast<Nanos::rep>(static_cast<double>(period.count()) * factor(random)));
}

std::vector<Missing> LookSafely(Source& source, Capture& seen) {
  // A source must not throw; one that runs out of memory costs its own data and nothing else.
  try {
    return source.Look(seen);
  } catch (const std::exception& error) {
    seen = Capture{};
    return {Missing{Why::kFailed, error.what()}};
  }
}

}  // namespace

WorkerState::WorkerState(Clock& clock, const std::vector<std::unique_ptr<Source>>& sources)
    : clock_(clock), made_(clock.Now()) {
  for (const std::unique_ptr<Source>& source : sources) {
    Worker worker;
    worker.report.name = source->Name();
    worker.deadline = source->Deadline();
    worker.due = made_;
    workers_.push_back(std::move(worker));
  }
}

void WorkerState::Work(std::size_t index, std::unique_ptr<Source> source) {
  // Seeded by the clock and the number: two runs, and two sources, never sleep in step.
  const std::uint64_t seed = static_cast<std::uint64_t>(made_.ns.count()) + index * 7919;
  std::minstd_rand random(static_cast<std::minstd_rand::result_type>(seed));
  while (AwaitTurn(index, source->Deadline())) {
    Capture seen;
    const std::vector<Missing> missing = LookSafely(*source, seen);
    if (!HandOver(index, std::move(seen), missing)) break;
    SetDue(index, Draw(source->Period(), source->Jitter(), random));
  }
  // Before `ended`, so that a destructor that hangs is a worker that is given up.
  source.reset();
  const MutexLock lock(mutex_);
  workers_[index].ended = true;
  changed_.notify_all();
}

bool WorkerState::AwaitTurn(std::size_t index, Nanos deadline) {
  const MutexLock lock(mutex_);
  Worker& worker = workers_[index];
  worker.deadline = deadline;
  while (true) {
    if (worker.given_up || phase_ == Phase::kQuit || worker.last_look_begun) return false;
    const MonoTime now = clock_.Now();
    if (phase_ == Phase::kLastLook) {
      worker.last_look_begun = true;
      worker.BeginLook(now);
      return true;
    }
    if (worker.periodic && now >= worker.due) {
      if (worker.cadenced++ == 0) worker.first_began = now;
      worker.latest_began = now;
      worker.BeginLook(now);
      return true;
    }
    if (worker.periodic) {
      changed_.wait_for(mutex_, worker.due - now);
    } else {
      changed_.wait(mutex_);
    }
  }
}

void WorkerState::Worker::BeginLook(MonoTime now) {
  looking = true;
  look_began = now;
  ++report.asked;
}

bool WorkerState::HandOver(std::size_t index, Capture&& seen, const std::vector<Missing>& missing) {
  const MutexLock lock(mutex_);
  Worker& worker = workers_[index];
  // Given up: the scheduler, and with it the clock, may be gone.
  if (worker.given_up) return false;
  worker.looking = false;
  worker.report.cpu = clock_.ThreadCpu();  // of this thread, so from its start
  if (clock_.Now() - worker.look_began > worker.deadline) {
    ++worker.report.late;
    AddReason(worker.report, TimedOut(worker.report, worker.deadline));
    return true;
  }
  ++worker.report.answered;
  for (const Missing& reason : missing) AddReason(worker.report, reason);
  AppendSamples(seen_, std::move(seen));
  return true;
}

void WorkerState::SetDue(std::size_t index, Nanos sleep) {
  const MutexLock lock(mutex_);
  Worker& worker = workers_[index];
  if (worker.given_up) return;
  const MonoTime now = clock_.Now();
  worker.periodic = sleep > Nanos{0};
  const Nanos breather = (now - worker.look_began) / kBreatherShare;
  worker.due = std::max(worker.look_began + sleep, now + breather);
}

void WorkerState::MarkStarting(std::size_t index) {
  const MutexLock lock(mutex_);
  workers_[index].ended = false;
}

void WorkerState::MarkUnstarted(std::size_t index, const std::string& reason) {
  const MutexLock lock(mutex_);
  Worker& worker = workers_[index];
  worker.ended = true;
  AddReason(worker.report, {Why::kFailed, Format(_("{}: no thread could be started: {}"),
                                                 worker.report.name, reason)});
}

void WorkerState::Wait(Nanos d) {
  const MutexLock lock(mutex_);
  changed_.wait_for(mutex_, d);
}

void WorkerState::Worker::GiveUp() {
  given_up = true;
  report.stuck = true;
  if (looking) ++report.lost;
  AddReason(report, TimedOut(report, deadline));
}

void WorkerState::GiveUpStuck(MonoTime now) {
  const MutexLock lock(mutex_);
  for (Worker& worker : workers_) {
    const bool stuck = worker.looking && now - worker.look_began > worker.deadline * kStuckFactor;
    if (stuck && !worker.given_up) worker.GiveUp();
  }
}

Capture WorkerState::TakeSeen() {
  Capture taken;
  const MutexLock lock(mutex_);
  std::swap(taken, seen_);
  return taken;
}

void WorkerState::BeginEnd(bool last_look) {
  const MutexLock lock(mutex_);
  phase_ = last_look ? Phase::kLastLook : Phase::kQuit;
  for (Worker& worker : workers_) {
    if (worker.looking) worker.last_look_begun = true;
  }
  changed_.notify_all();
}

MonoTime WorkerState::GiveUpLate(MonoTime now, MonoTime began) {
  const MutexLock lock(mutex_);
  MonoTime next = now;
  for (Worker& worker : workers_) {
    if (worker.ended || worker.given_up) continue;
    // Outside a look it is about to begin its last one or about to end, and gets as long.
    const MonoTime from = worker.looking ? worker.look_began : std::max(began, worker.look_began);
    const MonoTime limit = from + worker.deadline;
    if (now >= limit) {
      worker.GiveUp();
    } else if (next == now || limit < next) {
      next = limit;
    }
  }
  return next;
}

bool WorkerState::HasEnded(std::size_t index) {
  const MutexLock lock(mutex_);
  return workers_[index].ended;
}

std::vector<SourceReport> WorkerState::Reports() {
  const MutexLock lock(mutex_);
  std::vector<SourceReport> reports;
  for (const Worker& worker : workers_) {
    SourceReport report = worker.report;
    if (worker.cadenced > 1) {
      report.period =
          (worker.latest_began - worker.first_began) / static_cast<Nanos::rep>(worker.cadenced - 1);
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace gpuwhy
