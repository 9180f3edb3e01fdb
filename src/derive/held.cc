#include "derive/held.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "base/i18n.h"
#include "base/text.h"
#include "derive/blinds.h"
#include "derive/hangs.h"
#include "derive/mounts.h"
#include "derive/objects.h"
#include "derive/process_names.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kMostNamed = 8;
constexpr std::uint64_t kLeastLooks = 10;
constexpr std::uint64_t kLeastLooksToHold = 5;
/// Cores: less than one wake and its system call a second.
constexpr double kMostHungCores = 1e-4;

enum class Holder : unsigned char { kSignal, kTracer, kFreezer };

struct Hold {
  std::uint64_t looks = 0, held = 0;
  bool still = false;  ///< at the last look
  Holder by = Holder::kSignal;
  bool old_freezer = false;  ///< of cgroup v1
};

/// Held for most of the time, and at the end of it.
bool IsUrgent(const Hold& hold) { return hold.still && hold.held * 2 > hold.looks; }

/// The main thread of a process decides: a stop signal and a freezer take all of its threads.
std::map<std::size_t, Hold> HoldsOf(const JobInWindow& job) {
  std::map<std::size_t, Hold> holds;
  for (const ThreadSample& sample : job.capture.thread_samples) {
    if (sample.tid != sample.pid || sample.at < job.window.from || sample.at > job.window.to) {
      continue;
    }
    const std::optional<std::size_t> process = job.processes.Index(sample.pid);
    if (!process || !job.members[*process]) continue;
    Hold& hold = holds[*process];
    ++hold.looks;
    hold.still = false;
    const std::string& channel = job.capture.Name(sample.wchan);
    const bool freezer = channel.find("refrigerator") != std::string::npos ||
                         channel.find("freezer") != std::string::npos;
    if (sample.state == 't' || channel.find("ptrace") != std::string::npos) {
      hold.by = Holder::kTracer;
    } else if (freezer) {
      hold.by = Holder::kFreezer;
      hold.old_freezer = channel.find("refrigerator") != std::string::npos;
    } else if (sample.state == 'T' || FamilyOf(channel) == WchanFamily::kStop) {
      hold.by = Holder::kSignal;
    } else {
      continue;
    }
    ++hold.held;
    hold.still = true;
  }
  // One look in ten: less is somebody with a profiler. Of a few looks all can be such a moment.
  std::erase_if(holds, [](const auto& one) {
    const Hold& hold = one.second;
    return hold.held == 0 || hold.held * 10 < hold.looks || hold.looks < kLeastLooksToHold;
  });
  return holds;
}

/// For a command: the first few are enough to see what is going on.
std::string PidsOf(const JobInWindow& job, const std::vector<std::size_t>& processes) {
  std::string pids;
  for (std::size_t i = 0; i < std::min(processes.size(), kMostNamed); ++i) {
    if (i > 0) pids += ' ';
    pids += std::to_string(job.processes.Pid(processes[i]));
  }
  return pids;
}

/// The folder of the group's freezer; empty where the group is not known.
std::string FreezerOf(const JobInWindow& job, std::size_t process, bool old) {
  for (const CgroupRef& ref : job.processes.At(process).cgroups) {
    const std::string& controllers = job.capture.Name(ref.controllers);
    if (!old && controllers.empty()) return "/sys/fs/cgroup" + job.capture.Name(ref.path);
    if (old && controllers.find("freezer") != std::string::npos) {
      return "/sys/fs/cgroup/freezer" + job.capture.Name(ref.path);
    }
  }
  return {};
}

std::string HowToThaw(const JobInWindow& job, std::size_t process, bool old) {
  const std::string folder = FreezerOf(job, process, old);
  if (folder.empty()) {
    return Format(_("cat /proc/{}/cgroup; thaw it (docker unpause, or "
                    "cgroup.freeze)"),
                  job.processes.Pid(process));
  }
  if (old) {
    const std::string file = ShellQuote(folder + "/freezer.state");
    return Format(_("cat {}; thaw it: docker unpause, or echo THAWED > {}"), file, file);
  }
  return Format(_("cat {}; thaw it: docker unpause, or echo 0 > {} (or of a group above)"),
                ShellQuote(folder + "/cgroup.events"), ShellQuote(folder + "/cgroup.freeze"));
}

Blind HeldBlind(const JobInWindow& job, const Hold& hold,
                const std::vector<std::size_t>& processes) {
  const std::string names = NamesOf(job, processes);
  const std::int32_t pid = job.processes.Pid(processes.front());
  const std::size_t n = processes.size();
  Blind blind;
  switch (hold.by) {
    case Holder::kSignal:
      blind.what = Format(TrN("Process {} is stopped", "Processes {} are stopped", n), names);
      blind.why = Format(_("state T, a stop signal, in {} of {} looks"), hold.held, hold.looks);
      blind.how = Format(_("grep -E 'State|TracerPid' /proc/{}/status; let it run: kill "
                           "-CONT {}"),
                         pid, PidsOf(job, processes));
      break;
    case Holder::kTracer:
      blind.what = Format(
          TrN("Process {} is held by a debugger", "Processes {} are held by a debugger", n), names);
      blind.why = Format(_("state t, traced, in {} of {} looks"), hold.held, hold.looks);
      blind.how = Format(_("grep -E 'State|TracerPid' /proc/{}/status; let the debugger "
                           "go on or detach"),
                         pid);
      break;
    case Holder::kFreezer:
      blind.what = Format(TrN("Process {} is frozen with its control group",
                              "Processes {} are frozen with their control group", n),
                          names);
      blind.why =
          Format(_("it slept in the kernel's freezer in {} of {} looks"), hold.held, hold.looks);
      blind.how = HowToThaw(job, processes.front(), hold.old_freezer);
      break;
  }
  blind.hides = WaitFindings();
  blind.hides.emplace_back("job.stuck");
  blind.urgent = IsUrgent(hold);
  return blind;
}

void NoteStopped(const JobInWindow& job, bool may_be_urgent, FactSet& facts) {
  // Held alike: the same way, and for most of the time or not.
  std::map<std::pair<Holder, bool>, std::vector<std::size_t>> alike;
  const std::map<std::size_t, Hold> holds = HoldsOf(job);
  for (const auto& [process, hold] : holds) {
    alike[{hold.by, IsUrgent(hold)}].push_back(process);
  }
  for (const auto& [how, processes] : alike) {
    Blind blind = HeldBlind(job, holds.at(processes.front()), processes);
    blind.urgent = blind.urgent && may_be_urgent;
    facts.blinds.push_back(std::move(blind));
  }
}

std::string CallText(WaitClass wait) {
  switch (wait) {
    case WaitClass::kStorageOpen:
      return _("opening, finding or closing a file");
    case WaitClass::kStorageWrite:
      return _("writing");
    case WaitClass::kFault:
      return _("a page fault");
    default:
      return _("reading");
  }
}

/// Where a process that hangs was seen last.
struct Place {
  std::uint64_t looks = 0;
  std::string on;    ///< "/data (nfs4, server:/export)"; empty: not known
  std::string path;  ///< of the file; empty: not known
  WaitClass wait = WaitClass::kStorageRead;
};

Place PlaceOf(const JobInWindow& job, const Looks& looks, const MountTable& mounts,
              std::size_t process) {
  Place place;
  place.looks = looks.sums[process].looks;
  const auto thread = std::find_if(
      looks.threads.rbegin(), looks.threads.rend(),
      [&](const ThreadInLook& look) { return look.process == process && IsStorage(look.wait); });
  if (thread == looks.threads.rend()) return place;
  place.wait = thread->wait;
  if (thread->detail == 0 || thread->detail >= job.capture.details.size()) return place;
  const WaitDetail& detail = job.capture.details[thread->detail];
  place.path = mounts.Path(detail);
  const Mount* mount = mounts.Find(job.processes.Pid(process), detail);
  if (mount != nullptr) {
    place.on = Format("{} ({}, {})", Printable(job.capture.Name(mount->mount_point)),
                      Printable(job.capture.Name(mount->fs_type)),
                      Printable(job.capture.Name(mount->source)));
  }
  return place;
}

Blind HangBlind(const JobInWindow& job, const Place& place,
                const std::vector<std::size_t>& processes) {
  const std::int32_t pid = job.processes.Pid(processes.front());
  const std::string where =
      place.on.empty() ? std::string(_("a mount that could not be told")) : place.on;
  Blind blind;
  blind.what = Format(TrN("Process {} hangs on {}", "Processes {} hang on {}", processes.size()),
                      NamesOf(job, processes), where);
  blind.why = Format(_("blocked in {} in all of {} looks, and used no CPU time"),
                     CallText(place.wait), place.looks);
  if (!place.path.empty()) blind.why += Format(_("; last seen at {}"), Printable(place.path));
  blind.how = Format(_("grep State /proc/{}/status; sudo cat /proc/{}/stack; ask whether what "
                       "serves the mount answers"),
                     pid, pid);
  blind.hides = WaitFindings();
  blind.urgent = true;
  return blind;
}

void NoteHanging(const JobInWindow& job, const Looks& looks,
                 const std::vector<std::size_t>& fillers, bool may_be_urgent, FactSet& facts) {
  const MountTable mounts(job.capture);
  std::map<std::string, std::vector<std::size_t>> by_mount;
  for (const std::size_t process : job.tree) {
    const Reading<double>& run = job.cpu[process].run;
    if (!run || *run > kMostHungCores) continue;
    if (!HangsInStorage(looks.sums[process], kLeastLooks)) continue;
    if (std::find(fillers.begin(), fillers.end(), process) != fillers.end()) continue;
    by_mount[PlaceOf(job, looks, mounts, process).on].push_back(process);
  }
  for (const auto& [mount, processes] : by_mount) {
    Blind blind = HangBlind(job, PlaceOf(job, looks, mounts, processes.front()), processes);
    blind.urgent = may_be_urgent;
    facts.blinds.push_back(std::move(blind));
  }
}

}  // namespace

void NoteHeld(const JobInWindow& job, const Looks& looks, const std::vector<std::size_t>& fillers,
              FactSet& facts) {
  NoteStopped(job, true, facts);
  NoteHanging(job, looks, fillers, true, facts);
}

void NoteHeldOnHost(const Capture& capture, const ProcessTable& processes, FactSet& facts) {
  if (processes.size() == 0) return;
  JobInWindow all{capture,     processes,
                  {},          std::vector<bool>(processes.size(), true),
                  0,           CpuUses(capture, processes, facts.window),
                  facts.window};
  for (std::size_t i = 0; i < processes.size(); ++i) all.tree.push_back(i);
  const ObjectIndex objects(capture, processes, all.members);
  LookOptions options;
  options.from = facts.window.from;
  options.to = facts.window.to;
  options.wakes.assign(processes.size(), false);
  const Looks looks = LookAt(capture, processes, all.members, objects, options);
  // Beside candidates that run, an editor that was put to sleep (^Z) is no answer.
  NoteStopped(all, facts.jobs.empty(), facts);
  NoteHanging(all, looks, {}, true, facts);
}

}  // namespace gpuwhy
