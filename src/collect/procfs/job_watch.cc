#include "collect/procfs/job_watch.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/i18n.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kMostTopics = 64;

template <class T>
void Append(std::vector<T>& to, std::vector<T> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

JobWatch::JobWatch(Host host, Interner& interner, const std::string& machine, std::int32_t tool)
    : host_(host),
      interner_(interner),
      tool_(tool),
      budget_{KeepableDescriptors(host.files)},
      reader_(host, interner, machine),
      fds_(host, interner),
      regions_(host, interner),
      resolver_(host, interner, fds_, regions_, machine),
      sockets_(host, interner),
      cgroups_(host, interner),
      namespaces_(host, interner) {}

void JobWatch::Report(const std::string& topic, Missing missing) {
  if (reported_.size() < kMostTopics && reported_.insert(topic).second)
    missing_.push_back(std::move(missing));
}

void JobWatch::Count(bool with_switches, Capture& out) {
  Tree tree = ReadTree(host_.files, members_, tool_);
  // A number that was given to a stranger since the last look is no member.
  std::erase_if(tree.processes, [&](const TreeProcess& p) {
    const auto known = processes_.find(p.stat.pid);
    return known != processes_.end() && known->second.start_ticks != p.stat.start_ticks &&
           !processes_.contains(p.stat.ppid);
  });
  if (tree.left_out > 0)
    Report("left-out", {Why::kNotSampled,
                        Format(_("{} processes of the job: it has too many"), tree.left_out)});
  if (tree.threads_left_out > 0)
    Report("threads-left-out",
           {Why::kNotSampled,
            Format(_("{} threads of the job: it has too many"), tree.threads_left_out)});
  DropEnded(tree);
  Arrange(tree);
  members_.clear();
  for (const TreeProcess& process : tree.processes) {
    members_.push_back(process.stat.pid);
    CountProcess(process, with_switches, out);
  }
  cgroups_.Look(out);
}

void JobWatch::Arrange(const Tree& tree) {
  std::map<std::int32_t, std::int32_t> parents;
  for (const TreeProcess& p : tree.processes) parents[p.stat.pid] = p.stat.ppid;
  turns_.clear();
  for (const TreeProcess& p : tree.processes) {
    std::int32_t root = p.stat.pid;
    // As many steps as there are processes: numbers that are given again can make a cycle.
    for (std::size_t i = 0; i < parents.size() && parents.contains(parents.at(root)); ++i)
      root = parents.at(root);
    turns_.push_back({root, p.stat.pid});
  }
  std::sort(turns_.begin(), turns_.end());
}

void JobWatch::DropEnded(const Tree& tree) {
  std::map<std::int32_t, std::uint64_t> alive;
  for (const TreeProcess& p : tree.processes) alive[p.stat.pid] = p.stat.start_ticks;
  std::vector<std::int32_t> ended;
  for (const auto& [pid, process] : processes_) {
    const auto at = alive.find(pid);
    if (at == alive.end() || at->second != process.start_ticks) ended.push_back(pid);
  }
  for (const std::int32_t pid : ended) Forget(pid);
}

void JobWatch::Forget(std::int32_t pid) {
  const auto at = processes_.find(pid);
  if (at == processes_.end()) return;
  for (const auto& [tid, files] : at->second.threads) resolver_.Forget(pid, tid);
  processes_.erase(at);
  fds_.Forget(pid);
  regions_.Forget(pid);
  namespaces_.Forget(pid);
  unseen_.erase(pid);
}

JobProcess& JobWatch::Admit(const TreeProcess& process) {
  const std::int32_t pid = process.stat.pid;
  if (const auto known = processes_.find(pid); known != processes_.end()) return known->second;
  Introduction intro = IntroduceProcess(host_, interner_, process.stat);
  cgroups_.Add(intro.cgroups);
  // One that ended meanwhile hides nothing.
  const Reading<bool>& visible = intro.seen.waits_visible;
  if (!visible && visible.missing().why != Why::kNotPresent) Report("waits", visible.missing());
  unseen_[pid] = std::move(intro.seen);
  to_survey_.push_back(pid);
  return processes_.try_emplace(pid, process.stat.start_ticks, intro.rights, pid, budget_)
      .first->second;
}

void JobWatch::CountProcess(const TreeProcess& process, bool with_switches, Capture& out) {
  const std::int32_t pid = process.stat.pid;
  JobProcess& known = Admit(process);
  for (const std::int32_t tid : known.SetThreads(pid, process.tids, budget_))
    resolver_.Forget(pid, tid);
  for (auto& [tid, files] : known.threads)
    out.thread_counters.push_back(reader_.Counters(files, with_switches));
  out.process_counters.push_back(known.Counters(host_, process.stat));
}

void JobWatch::PlanSurvey() {
  for (const auto& [pid, process] : processes_) {
    if (std::find(to_survey_.begin(), to_survey_.end(), pid) == to_survey_.end())
      to_survey_.push_back(pid);
  }
}

bool JobWatch::Survey(Nanos most, Capture& out) {
  if (to_survey_.empty()) return true;
  const MonoTime until = host_.clock.Now() + most;
  do {
    const std::int32_t pid = to_survey_.front();
    to_survey_.pop_front();
    if (processes_.contains(pid)) SurveyProcess(pid, out);
  } while (!to_survey_.empty() && host_.clock.Now() < until);
  Append(out.fds, fds_.TakeNew());
  Append(out.regions, regions_.TakeNew());
  if (!to_survey_.empty()) return false;
  SurveySockets(out);
  return true;
}

void JobWatch::SurveyProcess(std::int32_t pid, Capture& out) {
  const Reading<bool> all = fds_.Refresh(pid);
  if (!all) {
    if (all.missing().why != Why::kNotPresent) Report("fds", all.missing());
  } else if (!*all) {
    Report("many-fds",
           {Why::kNotSampled, Format(_("descriptors of process {}: it has too many"), pid)});
  }
  const auto unseen = unseen_.find(pid);
  if (unseen == unseen_.end()) return;
  const Reading<bool> cuda = regions_.Refresh(pid);
  if (!cuda && cuda.missing().why != Why::kNotPresent) Report("maps", cuda.missing());
  unseen->second.maps_cuda = (cuda && *cuda) || fds_.HoldsGpu(pid);
  unseen->second.maps_framework = regions_.MapsFramework(pid);
  out.processes.push_back(std::move(unseen->second));
  unseen_.erase(unseen);
  std::vector<Missing> missing;
  namespaces_.Add(pid, out, missing);
  for (Missing& m : missing) Report("mounts", std::move(m));
}

void JobWatch::SurveySockets(Capture& out) {
  std::vector<Missing> missing;
  Append(out.sockets, sockets_.Refresh(fds_.Sockets(), namespaces_.NetworkPids(), missing));
  for (Missing& m : missing) Report("sockets", std::move(m));
}

void JobWatch::Sample(Nanos most, Capture& out) {
  ++tick_;
  const Nanos begin = host_.clock.ThreadCpu();
  const bool one_tree = turns_.empty() || turns_.front().root == turns_.back().root;
  const auto first = std::lower_bound(turns_.begin(), turns_.end(), next_);
  std::rotate(turns_.begin(), first, turns_.end());
  next_ = {};
  std::int32_t root = 0;
  for (const Turn& turn : turns_) {
    const bool may_stop = one_tree ? root != 0 : root != 0 && turn.root != root;
    if (may_stop && host_.clock.ThreadCpu() - begin > most) {
      Report("rotation", {Why::kNotSampled,
                          _("every thread at each look: the job has too many for the budget")});
      next_ = turn;
      break;
    }
    root = turn.root;
    const auto process = processes_.find(turn.pid);
    if (process != processes_.end()) SampleProcess(turn.pid, process->second, out);
  }
  std::sort(turns_.begin(), turns_.end());
  Append(out.sysv_users, resolver_.TakeSysvUsers());
  Append(out.fds, fds_.TakeNew());
  Append(out.regions, regions_.TakeNew());
}

void JobWatch::SampleProcess(std::int32_t pid, JobProcess& process, Capture& out) {
  for (auto at = process.threads.begin(); at != process.threads.end();) {
    ThreadLook look = reader_.Look(at->second, process.rights);
    look.sample.tick = tick_;
    if (look.sample.call_state == SyscallState::kBlocked)
      look.sample.detail = resolver_.Resolve(pid, at->first, look.call);
    out.thread_samples.push_back(look.sample);
    if (look.sample.call_state == SyscallState::kGone) {
      resolver_.Forget(pid, at->first);
      at = process.threads.erase(at);
    } else {
      ++at;
    }
  }
}

}  // namespace gpuwhy
