#include "collect/procfs/job_process.h"

#include <algorithm>
#include <array>
#include <utility>

#include "parse/procfs/pid_status.h"

namespace gpuwhy {
namespace {

// Decided once, by trying: what the kernel lets us do depends on user, namespace, capabilities and
// Yama, and its answer is the only sure one. wchan itself can't be asked: it reads "0" instead of
// failing; the folder of descriptors asks for the same right.
WaitRights TryRights(FileTree& files, std::int32_t pid, Reading<bool>& visible) {
  WaitRights rights;
  const Result<std::string> call = files.Read(ProcessPath(pid, "syscall"));
  rights.calls = call.ok();
  rights.channels = rights.calls || files.List(ProcessPath(pid, "fd")).ok();
  visible = rights.calls ? Reading<bool>(true) : Reading<bool>(ToMissing(call.error()));
  return rights;
}

}  // namespace

Introduction IntroduceProcess(Host host, Interner& interner, const PidStat& stat) {
  Introduction intro;
  ProcessSeen& seen = intro.seen;
  seen.at = host.clock.Now();
  seen.pid = stat.pid;
  seen.ppid = stat.ppid;
  seen.pgrp = stat.pgrp;
  seen.session = stat.session;
  seen.start_ticks = stat.start_ticks;
  seen.threads = stat.threads;
  seen.command = interner.Intern(stat.command);
  if (const Result<std::string> exe = host.files.ReadLink(ProcessPath(stat.pid, "exe")))
    seen.executable = interner.Intern(*exe);
  if (const Result<std::string> folder = host.files.ReadLink(ProcessPath(stat.pid, "cwd")))
    seen.working_folder = interner.Intern(*folder);
  if (const Result<std::string> text = host.files.Read(ProcessPath(stat.pid, "status"))) {
    PidStatus status = ParsePidStatus(*text);
    if (status.uid) seen.uid = *status.uid;
    seen.cpus_allowed = std::move(status.cpus_allowed);
  } else {
    seen.cpus_allowed = ToMissing(text.error());
  }
  if (const Result<std::string> text = host.files.Read(ProcessPath(stat.pid, "cgroup")))
    intro.cgroups = ParsePidCgroup(*text);
  for (const CgroupLine& line : intro.cgroups)
    seen.cgroups.push_back({interner.Intern(line.controllers), interner.Intern(line.path)});
  intro.rights = TryRights(host.files, stat.pid, seen.waits_visible);
  return intro;
}

std::vector<std::int32_t> JobProcess::SetThreads(std::int32_t pid,
                                                 const std::vector<std::int32_t>& tids,
                                                 DescriptorBudget& budget) {
  std::vector<std::int32_t> ended;
  for (const auto& [tid, files] : threads) {
    if (!std::binary_search(tids.begin(), tids.end(), tid)) ended.push_back(tid);
  }
  for (const std::int32_t tid : ended) threads.erase(tid);
  for (const std::int32_t tid : tids) threads.try_emplace(tid, pid, tid, budget);
  return ended;
}

ProcessCounters JobProcess::Counters(Host host, const PidStat& stat) {
  std::array<char, kStatusBuffer> buffer{};
  ProcessCounters counters;
  counters.at = host.clock.Now();
  counters.pid = stat.pid;
  counters.major_faults = stat.major_faults;
  counters.cpu_ticks = stat.user_ticks + stat.system_ticks;
  counters.children_ticks = stat.children_user_ticks + stat.children_system_ticks;
  if (const Result<std::string_view> text = io.Read(host.files, buffer)) {
    PidIo parsed = ParsePidIo(*text);
    counters.read_chars = std::move(parsed.read_chars);
    counters.read_calls = std::move(parsed.read_calls);
    counters.read_bytes = std::move(parsed.read_bytes);
    counters.write_chars = std::move(parsed.write_chars);
    counters.write_calls = std::move(parsed.write_calls);
    counters.write_bytes = std::move(parsed.write_bytes);
  } else {
    const Missing why = ToMissing(text.error());
    counters.read_chars = counters.read_calls = counters.read_bytes = why;
    counters.write_chars = counters.write_calls = counters.write_bytes = why;
  }
  if (const Result<std::string_view> text = status.Read(host.files, buffer)) {
    PidStatus parsed = ParsePidStatus(*text);
    counters.resident_kib = std::move(parsed.resident_kib);
    counters.swapped_kib = std::move(parsed.swapped_kib);
  } else {
    counters.resident_kib = counters.swapped_kib = ToMissing(text.error());
  }
  return counters;
}

}  // namespace gpuwhy
