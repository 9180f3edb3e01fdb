#include "derive/blinds.h"

#include <algorithm>
#include <string>

#include "base/i18n.h"
#include "base/text.h"
#include "derive/gains.h"
#include "derive/window.h"

namespace gpuwhy {
namespace {

std::string Reason(const Missing& missing) {
  if (missing.detail.empty()) return WhyText(missing.why);
  return WhyText(missing.why) + ": " + Printable(missing.detail);
}

/// The command that gives the right to see. Yama keeps even the job's own user out, so that "run as
/// the job's user" would send him round in a circle.
std::string HowToSeeWaits(const JobInWindow& job) {
  const std::int32_t pid = job.processes.Pid(job.root);
  const RunInfo& run = job.capture.run;
  const std::uint32_t scope = run.ptrace_scope.ValueOr(0);
  const bool own = job.processes.At(job.root).uid == run.uid;
  if (scope >= 3) {
    return _(
        "kernel.yama.ptrace_scope is 3: until the next boot nobody may look, not even root; boot "
        "with a lower one");
  }
  if (own && scope >= 1 && run.uid != 0) {
    std::string as_root =
        Format(_("this user owns the job, but kernel.yama.ptrace_scope is {}: sudo gpuwhy diagnose "
                 "--pid {}"),
               scope, pid);
    if (scope > 1) return as_root;
    return as_root + _("; or, until the next boot: sudo sysctl kernel.yama.ptrace_scope=0");
  }
  return Format(_("run as root or as the job's user: sudo gpuwhy diagnose --pid {}"), pid);
}

void NoteUnseenWaits(const JobInWindow& job, const Looks& looks, FactSet& facts) {
  std::uint64_t unseen = 0;
  std::uint64_t all = 0;
  const Missing* why = nullptr;
  for (const std::size_t process : job.tree) {
    const ProcessSums& sums = looks.sums[process];
    unseen += sums.Count(ProcessState::kUnseen);
    all += sums.looks;
    if (why == nullptr) why = WhyUnseen(job, process);
  }
  if (unseen == 0 && why == nullptr) return;
  if (looks.by_channel > 0) {
    facts.blinds.push_back(
        {_("which files, and whose queue exactly"),
         Format(_("system calls may not be read: in {} looks the wait channel alone said what a "
                  "thread waits for, and its descriptors who may be at the other end"),
                looks.by_channel),
         HowToSeeWaits(job),
         {"input.metadata-storm", "input.network-filesystem", "input.io-throttled"}});
  }
  std::string reason = why != nullptr
                           ? Reason(*why)
                           : std::string(_("the system calls of sleeping threads may not be read"));
  if (all > 0) {
    reason += Format(_(" ({} of {} looks at the job's processes)"), unseen, all);
  }
  facts.blinds.push_back(
      {_("what the job's threads wait for"), reason, HowToSeeWaits(job), WaitFindings()});
}

/// Why the users of the System V object that a process waits for could not be told; empty where
/// that is not what it waits for. A starved consumer is served by the kernel at once, in its own
/// name, so that of a single semaphore it is itself the last user whenever somebody looks.
std::string WhyNoSysvUsers(const Capture& capture, std::int32_t pid) {
  for (const WaitDetail& detail : capture.details) {
    if (detail.pid != pid || !detail.sysv_id) continue;
    if (!detail.resolved) {
      return Format(_("; it waits on a System V object, whose users were not told: {}"),
                    Reason(detail.resolved.missing()));
    }
    return Format(_("; it waits on System V object {}: the kernel names the last process that used "
                    "it, and that was never another one of the job"),
                  *detail.sysv_id);
  }
  return {};
}

void NoteUnproven(const JobInWindow& job, const Looks& looks, const Chain& chain, FactSet& facts) {
  const ProcessSums& sums = looks.sums[chain.consumer];
  const std::int32_t pid = job.processes.Pid(chain.consumer);
  const bool threads = chain.proof == ConsumerProof::kThreads;
  const std::uint64_t unproven =
      sums.Count(ProcessState::kUnproven) + (threads ? sums.main_futex_helped : 0);
  // One look in ten: less is what any program does between two steps.
  if (unproven * 10 < sums.looks || unproven == 0) return;
  facts.blinds.push_back(
      {Format(_("whom process {} waits for"), pid),
       threads
           ? std::string(_("it waits in a private lock while its own threads work: /proc does "
                           "not show who will release it"))
           : Format(_("in {} of {} looks it slept in something whose far end could not be found "
                      "in the job"),
                    unproven, sums.looks) +
                 WhyNoSysvUsers(job.capture, pid),
       threads
           ? std::string(_("load data in processes instead of threads for a test, or sample its "
                           "stacks with py-spy or perf"))
           : Format(_("watch the whole job: gpuwhy diagnose --pid with the process that started "
                      "{}"),
                    pid),
       WaitFindings()});
}

void NoteUnnamed(const JobInWindow& job, const Looks& looks, const Chain& chain, FactSet& facts) {
  const ProcessSums& sums = looks.sums[chain.consumer];
  if (sums.unnamed == 0 || sums.unnamed * 10 < sums.looks) return;
  const std::int32_t pid = job.processes.Pid(chain.consumer);
  facts.blinds.push_back(
      {Format(_("what process {} waits for"), pid),
       Format(_("in {} of {} looks it slept in a lock or a system call that belongs to no resource "
                "known to gpuwhy"),
              sums.unnamed, sums.looks),
       Format(_("look at the call: timeout 10 strace -f -p {}"), pid), WaitFindings()});
}

void NoteFewLooks(const JobInWindow& job, const Looks& looks, const Chain& chain, FactSet& facts) {
  const std::uint64_t seen = looks.sums[chain.consumer].looks;
  if (seen >= kMinLooksForGain) return;
  facts.blinds.push_back({_("how long the job waits for what"),
                          Format(_("only {} looks at process {}, {} are needed"), seen,
                                 job.processes.Pid(chain.consumer), kMinLooksForGain),
                          _("watch longer: --duration 30"), WaitFindings()});
}

/// A process that left before half of the window was over, counting from its first look.
void NoteEnded(const JobInWindow& job, const Looks& looks, FactSet& facts) {
  const Nanos window = job.window.to - job.window.from;
  std::size_t ended = 0;
  for (const std::size_t process : job.tree) {
    const ProcessSums& sums = looks.sums[process];
    if (sums.looks > 0 && sums.last < job.window.from + window / 2) ++ended;
  }
  if (ended == 0) return;
  facts.blinds.push_back(
      {_("all of the job over the whole window"),
       Format(TrN("{} process of the job ended while it was watched",
                  "{} processes of the job ended while they were watched", ended),
              ended),
       _("watch while the job is in its steady state"),
       {}});
}

/// Where no job was found: what the source of jobs could not look at.
void NoteHidden(const Capture& capture, FactSet& facts) {
  constexpr std::size_t kMostReasons = 3;
  for (const SourceReport& source : capture.sources) {
    if (source.name != "job") continue;
    for (std::size_t i = 0; i < std::min(source.missing.size(), kMostReasons); ++i) {
      const Missing& missing = source.missing[i];
      facts.nothing_seen |= capture.processes.empty() && missing.why == Why::kNotPresent;
      facts.blinds.push_back({_("some of this host's processes"), Reason(missing),
                              _("run as root, on the host itself; in a container share the host's "
                                "processes (--pid=host)"),
                              WaitFindings()});
    }
  }
}

// The kernel refuses to read it where it was booted with psi=0; a file that is not there may also
// be hidden by the mount.
std::string HowToSeePressure(Why why) {
  switch (why) {
    case Why::kNoPermission:
      return _("run as root");
    case Why::kNotPresent:
      return _(
          "look whether /proc is mounted with subset=pid (grep ' /proc ' /proc/mounts): run where it "
          "is not; else boot with psi=1 where the kernel has CONFIG_PSI");
    case Why::kNotSupported:
      return _("boot with psi=1 where the kernel has CONFIG_PSI");
    default:
      return _("look again: cat /proc/pressure/cpu");
  }
}

}  // namespace

const std::vector<std::string>& WaitFindings() {
  static const std::vector<std::string> ids = {
      "input.storage-latency",    "input.storage-bandwidth", "input.metadata-storm",
      "input.network-filesystem", "input.io-throttled",      "input.cpu-transform",
      "input.too-few-workers",    "input.write-latency",     "job.no-demand"};
  return ids;
}

void NoteSourceBlinds(const Capture& capture, FactSet& facts) {
  const bool silent = std::all_of(capture.sources.begin(), capture.sources.end(),
                                  [](const SourceReport& source) { return source.answered == 0; });
  // A recording that was cut has no reports: then its samples speak for themselves.
  if (!capture.sources.empty() && silent) facts.nothing_seen = true;
  for (const SourceReport& source : capture.sources) {
    if (source.stuck) {
      facts.blinds.push_back({Format(_("source \"{}\""), Printable(source.name)),
                              _("its reader never came back and was given up"),
                              _("look for tasks in state D: ps -eo pid,stat,wchan:32,comm"),
                              {}});
    } else if (source.late > 0) {
      facts.blinds.push_back(
          {Format(_("part of source \"{}\""), Printable(source.name)),
           Format(_("{} of {} answers came after their deadline and were dropped"), source.late,
                  source.asked),
           _("watch longer, or when the host is less loaded"),
           {}});
    }
  }
  if (capture.psi.empty()) {
    const Missing why = WhyNothing(capture, "psi", "/proc/pressure");
    facts.blinds.push_back({_("how long tasks of this host waited for CPU, memory and disks"),
                            Reason(why),
                            HowToSeePressure(why.why),
                            {"host.memory-pressure"}});
  }
}

void NoteNoJob(const Capture& capture, FactSet& facts) {
  const std::string how = _("name the job's process: gpuwhy diagnose --pid PID");
  facts.asked_pid = capture.run.job_pid;
  if (capture.run.job_pid > 0) {
    facts.nothing_seen = true;
    facts.blinds.push_back({Format(_("process {}"), capture.run.job_pid),
                            _("it has ended, or it is hidden from this user"),
                            _("run as root, on the host itself, while the process runs"),
                            WaitFindings()});
    return;
  }
  if (facts.jobs.empty()) NoteHidden(capture, facts);
  if (facts.jobs.size() < 2) {
    facts.blinds.push_back(
        {_("the job"),
         facts.jobs.empty()
             ? std::string(_("no process was seen waiting for what others of its tree make"))
             : std::string(_("the job that was found was not there any more")),
         how, WaitFindings()});
    return;
  }
  std::string list;
  for (std::size_t i = 0; i < std::min<std::size_t>(facts.jobs.size(), 4); ++i) {
    if (i > 0) list += ", ";
    list += std::to_string(facts.jobs[i].root_pid) + " (" + Printable(facts.jobs[i].command) + ")";
  }
  facts.blinds.push_back({_("which process is the job"), Format(_("several look alike: {}"), list),
                          how, WaitFindings()});
}

void NoteJobBlinds(const JobInWindow& job, const Looks& looks, const Chain& chain,
                   const FillerUse& use, FactSet& facts) {
  NoteUnseenWaits(job, looks, facts);
  NoteUnproven(job, looks, chain, facts);
  NoteUnnamed(job, looks, chain, facts);
  NoteFewLooks(job, looks, chain, facts);
  NoteEnded(job, looks, facts);
  if (!chain.fillers.empty() && !use.cpu.run) {
    facts.blinds.push_back({_("how much CPU time the loaders used"),
                            Reason(use.cpu.run.missing()),
                            _("needs /proc/PID/schedstat (CONFIG_SCHED_INFO)"),
                            {"input.cpu-transform", "cpu.quota-throttled", "cpu.contended"}});
  }
}

}  // namespace gpuwhy
