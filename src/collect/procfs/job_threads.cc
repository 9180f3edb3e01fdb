#include "collect/procfs/job_threads.h"

#include <cerrno>
#include <utility>

#include "collect/procfs/proc_paths.h"
#include "parse/procfs/pid_stat.h"
#include "parse/procfs/pid_status.h"
#include "parse/syscall_table.h"

namespace gpuwhy {
namespace {

bool IsGone(const Error& error) { return error.sys_errno == ESRCH || error.sys_errno == ENOENT; }
bool IsDenied(const Error& error) { return error.sys_errno == EACCES || error.sys_errno == EPERM; }

}  // namespace

ThreadFiles::ThreadFiles(std::int32_t process, std::int32_t thread, DescriptorBudget& budget)
    : pid(process),
      tid(thread),
      call(ThreadPath(process, thread, "syscall"), budget),
      wchan(ThreadPath(process, thread, "wchan"), budget),
      stat(ThreadPath(process, thread, "stat"), budget),
      schedstat(ThreadPath(process, thread, "schedstat"), budget),
      status(ThreadPath(process, thread, "status"), budget) {}

ThreadReader::ThreadReader(Host host, Interner& interner, std::string machine)
    : host_(host), interner_(interner), machine_(std::move(machine)) {}

ThreadLook ThreadReader::Look(ThreadFiles& thread, WaitRights rights) {
  ThreadLook look;
  ThreadSample& sample = look.sample;
  sample.at = host_.clock.Now();
  sample.pid = thread.pid;
  sample.tid = thread.tid;
  if (rights.calls) {
    TakeCall(thread, look);
    if (sample.call_state == SyscallState::kRunning || sample.call_state == SyscallState::kGone)
      return look;
    TakeWchan(thread, rights.channels, sample);
    if (sample.wchan_state == WchanState::kName && sample.call_state == SyscallState::kBlocked)
      return look;  // two of three agree that it sleeps
    TakeState(thread, sample);
    return look;
  }
  sample.call_state = SyscallState::kDenied;
  TakeState(thread, sample);
  if (sample.call_state != SyscallState::kGone) TakeWchan(thread, rights.channels, sample);
  return look;
}

void ThreadReader::TakeCall(ThreadFiles& thread, ThreadLook& look) {
  ThreadSample& sample = look.sample;
  const Result<std::string_view> text = thread.call.Read(host_.files, buffer_);
  if (!text) {
    if (IsGone(text.error())) sample.call_state = SyscallState::kGone;
    if (IsDenied(text.error())) sample.call_state = SyscallState::kDenied;
    return;
  }
  const Result<BlockedCall> call = ParseBlockedCall(*text);
  if (!call) return;  // stays kNotRead: wchan and state are what is left
  look.call = *call;
  if (call->state == BlockedCall::State::kRunning) {
    sample.call_state = SyscallState::kRunning;
    return;
  }
  sample.call_state = SyscallState::kBlocked;
  sample.call = MeaningOf(machine_, call->number).call;
}

void ThreadReader::TakeWchan(ThreadFiles& thread, bool may_read, ThreadSample& sample) {
  if (!may_read) {
    sample.wchan_state = WchanState::kDenied;
    return;
  }
  const Result<std::string_view> text = thread.wchan.Read(host_.files, buffer_);
  if (!text) {
    if (IsDenied(text.error())) sample.wchan_state = WchanState::kDenied;
    return;
  }
  const std::string_view name = ParseWchan(*text);
  sample.wchan_state = name.empty() ? WchanState::kZero : WchanState::kName;
  sample.wchan = interner_.Intern(name);
}

void ThreadReader::TakeState(ThreadFiles& thread, ThreadSample& sample) {
  const Result<std::string_view> text = thread.stat.Read(host_.files, buffer_);
  if (text) {
    sample.state = ParseStateLetter(*text);
  } else if (IsGone(text.error())) {
    sample.call_state = SyscallState::kGone;
  }
}

ThreadCounters ThreadReader::Counters(ThreadFiles& thread, bool with_switches) {
  ThreadCounters counters;
  counters.at = host_.clock.Now();
  counters.pid = thread.pid;
  counters.tid = thread.tid;
  const Result<std::string_view> text = thread.schedstat.Read(host_.files, buffer_);
  if (!text) {
    counters.run_ns = counters.delay_ns = ToMissing(text.error());
  } else if (const Result<SchedStat> stat = ParseSchedStat(*text)) {
    counters.run_ns = stat->run_ns;
    counters.delay_ns = stat->delay_ns;
  } else {
    counters.run_ns = counters.delay_ns = Missing{Why::kFailed, thread.schedstat.Path()};
  }
  if (!with_switches) return counters;
  const Result<std::string_view> status_text = thread.status.Read(host_.files, buffer_);
  if (!status_text) {
    counters.voluntary = counters.involuntary = ToMissing(status_text.error());
    return counters;
  }
  PidStatus status = ParsePidStatus(*status_text);
  counters.voluntary = std::move(status.voluntary);
  counters.involuntary = std::move(status.involuntary);
  return counters;
}

}  // namespace gpuwhy
