#include "derive/blinds.h"

#include <algorithm>
#include <string>

#include "base/i18n.h"
#include "base/percent.h"
#include "base/text.h"
#include "derive/gains.h"
#include "derive/window.h"

namespace gpuwhy {
namespace {

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
  if (run.uid == 0) {
    return _(
        "this user is root, but may not look: run on the host itself, or give the container the "
        "capability CAP_SYS_PTRACE");
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

std::string WatchLonger() {
  return _("watch longer: --duration 30; a recording has to be made anew, and longer");
}

void NoteFewLooks(const JobInWindow& job, const Looks& looks, const Chain& chain, FactSet& facts) {
  const std::uint64_t seen = looks.sums[chain.consumer].looks;
  if (seen >= kMinLooksForGain) return;
  facts.few_looks = true;
  facts.blinds.push_back({_("how long the job waits for what"),
                          Format(_("only {} looks at process {}, {} are needed"), seen,
                                 job.processes.Pid(chain.consumer), kMinLooksForGain),
                          WatchLonger(), WaitFindings()});
}

/// That a process ended is only said where the kernel said so.
bool SaysEnded(const Capture& capture, std::int32_t pid) {
  const std::string number = std::to_string(pid);
  for (const SourceReport& source : capture.sources) {
    if (source.name != "job") continue;
    for (const Missing& missing : source.missing) {
      const bool of_it = missing.detail.find(number) != std::string::npos;
      if (missing.why == Why::kNotPresent && of_it) return true;
    }
  }
  return false;
}

/// No look at the job at all in the time that is diagnosed.
void NoteNoLook(const JobInWindow& job, const Looks& looks, FactSet& facts) {
  const bool any = std::any_of(job.tree.begin(), job.tree.end(), [&looks](std::size_t process) {
    return looks.sums[process].looks > 0;
  });
  if (any) return;
  facts.nothing_seen = true;
  facts.job_ended = SaysEnded(job.capture, job.processes.Pid(job.root));
}

/// Was it looked at regularly, and then not any more for much longer than between two looks? A job
/// of thousands of processes is looked at so seldom that a gap says nothing.
bool LeftEarly(const ProcessSums& sums, const Scope& window) {
  constexpr std::uint64_t kLeastLooks = 3;
  constexpr int kGaps = 10;
  if (sums.looks < kLeastLooks || sums.last >= window.from + (window.to - window.from) / 2) {
    return false;
  }
  const Nanos between = (sums.last - sums.first) / static_cast<std::int64_t>(sums.looks - 1);
  return window.to - sums.last > between * kGaps;
}

/// Processes that left before half of the window was over.
void NoteEnded(const JobInWindow& job, const Looks& looks, FactSet& facts) {
  std::size_t ended = 0;
  for (const std::size_t process : job.tree) {
    if (LeftEarly(looks.sums[process], job.window)) ++ended;
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

/// What the source of jobs knows that it did not look at.
void NoteTooMany(const Capture& capture, FactSet& facts) {
  for (const SourceReport& source : capture.sources) {
    if (source.name != "job") continue;
    for (const Missing& missing : source.missing) {
      if (missing.why != Why::kNotSampled) continue;
      facts.blinds.push_back({_("all of the job"),
                              Reason(missing),
                              _("name a smaller part of it: --pid with the process that feeds the "
                                "device"),
                              {}});
    }
  }
}

std::string HowToSeeProcesses(const RunInfo& run, Why why) {
  if (why != Why::kNoPermission && why != Why::kNotPresent) return WatchLonger();
  return run.uid == 0
             ? _("run on the host itself; in a container share the host's processes (--pid=host)")
             : _("run as root, on the host itself; in a container share the host's processes "
                 "(--pid=host)");
}

/// Where no job was found: what the source of jobs could not look at. A process that ended
/// meanwhile was none.
void NoteHidden(const Capture& capture, FactSet& facts) {
  constexpr std::size_t kMostReasons = 3;
  std::size_t reasons = 0;
  for (const SourceReport& source : capture.sources) {
    if (source.name != "job") continue;
    for (const Missing& missing : source.missing) {
      facts.nothing_seen |= capture.processes.empty() && missing.why == Why::kNotPresent;
      // What can't be read of a process that is ending hides nothing either.
      const bool ending = missing.why == Why::kNotPresent || missing.why == Why::kFailed;
      if (ending && !capture.processes.empty()) continue;
      if (reasons++ == kMostReasons) return;
      facts.blinds.push_back({_("some of this host's processes"), Reason(missing),
                              HowToSeeProcesses(capture.run, missing.why), WaitFindings()});
    }
  }
}

/// Where fewer than two could be it.
std::string WhyNoJob(const Capture& capture, FactSet& facts) {
  if (facts.jobs.empty()) {
    return _(
        "no process was seen that waits for what others of its tree make, or that lets them wait, "
        "or that uses a GPU");
  }
  const JobFacts& only = facts.jobs.front();
  const std::string name = Format("{} ({})", Printable(only.command), only.root_pid);
  // Chosen, but not among those that were looked at: a recording that was cut.
  if (capture.run.focus_pid == only.root_pid) {
    facts.nothing_seen = true;
    facts.job_ended = SaysEnded(capture, only.root_pid);
    return Format(_("no look at {} came in"), name);
  }
  return Format(_("the only candidate, {}, looks little like a job: {} where a job reaches 20 % or "
                  "more"),
                name, PercentText(only.score));
}

// The kernel refuses to read it where it was booted with psi=0; a file that is not there may also
// be hidden by the mount.
std::string HowToSeePressure(Why why) {
  switch (why) {
    case Why::kNoPermission:
      return _("run as root");
    case Why::kNotPresent:
      return _(
          "look whether /proc is mounted with subset=pid (grep ' /proc ' /proc/mounts): run where "
          "it "
          "is not; else boot with psi=1 where the kernel has CONFIG_PSI");
    case Why::kNotSupported:
      return _("boot with psi=1 where the kernel has CONFIG_PSI");
    default:
      return _("look again: cat /proc/pressure/cpu");
  }
}

}  // namespace

std::string Reason(const Missing& missing) {
  if (missing.detail.empty()) return WhyText(missing.why);
  return WhyText(missing.why) + ": " + Printable(missing.detail);
}

const std::vector<std::string>& WaitFindings() {
  static const std::vector<std::string> ids = {
      "input.storage-latency",    "input.storage-bandwidth", "input.metadata-storm",
      "input.network-filesystem", "input.io-throttled",      "input.cpu-transform",
      "input.too-few-workers",    "input.write-latency",     "job.no-demand"};
  return ids;
}

void NoteSourceStates(const Capture& capture, FactSet& facts) {
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
}

void NoteSourceBlinds(const Capture& capture, FactSet& facts) {
  NoteSourceStates(capture, facts);
  if (capture.psi.empty()) {
    const Missing why = WhyNothing(capture, "psi", "/proc/pressure");
    facts.blinds.push_back({_("how long tasks of this host waited for CPU, memory and disks"),
                            Reason(why),
                            HowToSeePressure(why.why),
                            {"host.memory-pressure"}});
  }
}

namespace {

/// Why nothing was seen of the process that was named. A source that said why knows best.
Blind NotSeen(const Capture& capture) {
  Blind blind{Format(_("process {}"), capture.run.job_pid),
              _("it has ended, or it is hidden from this user"),
              _("run as root, on the host itself, while the process runs"), WaitFindings()};
  const auto job = std::find_if(capture.sources.begin(), capture.sources.end(),
                                [](const SourceReport& source) { return source.name == "job"; });
  if (job == capture.sources.end()) {
    // A recording that was cut before its end has no reports.
    blind.why = _("the recording was cut before a look at it was written");
    blind.how = _("record again, for 10 seconds or longer");
  } else if (!job->missing.empty()) {
    blind.why = Reason(job->missing.front());
    blind.how = _("mend that, or run as root on the host itself");
  } else if (job->stuck || job->answered == 0) {
    blind.why =
        Format(_("no look at it was finished: {} begun, {} too late"), job->asked, job->late);
    blind.how = _("watch longer, or when the host is less loaded: --duration 30");
  }
  return blind;
}

}  // namespace

void NoteNoJob(const Capture& capture, FactSet& facts) {
  const std::string how = _("name the job's process: gpuwhy diagnose --pid PID");
  facts.asked_pid = capture.run.job_pid;
  if (capture.run.job_pid > 0) {
    facts.nothing_seen = true;
    facts.blinds.push_back(NotSeen(capture));
    return;
  }
  if (facts.jobs.empty()) NoteHidden(capture, facts);
  if (facts.jobs.size() < 2) {
    facts.blinds.push_back({_("the job"), WhyNoJob(capture, facts), how, WaitFindings()});
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
  NoteUnnamed(job, looks, chain, facts);
  NoteFewLooks(job, looks, chain, facts);
  NoteNoLook(job, looks, facts);
  NoteEnded(job, looks, facts);
  NoteTooMany(job.capture, facts);
  if (!chain.fillers.empty() && !use.cpu.run) {
    facts.blinds.push_back({_("how much CPU time the loaders used"),
                            Reason(use.cpu.run.missing()),
                            _("needs /proc/PID/schedstat (CONFIG_SCHED_INFO)"),
                            {"input.cpu-transform", "cpu.quota-throttled", "cpu.contended"}});
  }
}

}  // namespace gpuwhy
