#include "collect/procfs/candidates.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/i18n.h"
#include "collect/procfs/job_tree.h"
#include "collect/procfs/proc_paths.h"
#include "parse/procfs/pid_maps.h"
#include "parse/procfs/pid_status.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kAskedThreads = 64;
constexpr std::size_t kAskedForGpu = 64;
constexpr std::size_t kAskedFds = 256;
constexpr std::size_t kMapsLimit = std::size_t{16} << 20U;
constexpr std::string_view kToolName = "gpuwhy";
// Shells, session leaders, launchers and service managers have hardly any threads; a trainer has
// dozens and must not be cut off from its workers.
constexpr std::uint32_t kLauncher = 8;

void AddActivity(FileTree& files, ScannedProcess& process) {
  const std::int32_t pid = process.stat.pid;
  std::vector<std::int32_t> tids{pid};
  if (process.stat.threads > 1) tids = ListNumbers(files, ProcessPath(pid, "task"));
  if (tids.size() > kAskedThreads) tids.resize(kAskedThreads);
  for (const std::int32_t tid : tids) {
    const Result<std::string> text = files.Read(ThreadPath(pid, tid, "schedstat"));
    if (!text) continue;
    if (const Result<SchedStat> stat = ParseSchedStat(*text)) {
      process.slices += stat->slices;
      process.run_ns += stat->run_ns;
    }
  }
}

// A wait for a FUSE daemon shows as S until a signal arrives. Without the right to read the wait
// channel it is not seen.
bool Hangs(FileTree& files, const ScannedProcess& process) {
  if (std::string_view("DTt").find(process.stat.state) != std::string_view::npos) return true;
  if (process.stat.state != 'S') return false;
  const Result<std::string> channel = files.Read(ProcessPath(process.stat.pid, "wchan"));
  return channel && (channel->find("request_wait_answer") != std::string::npos ||
                     channel->find("fuse") != std::string::npos);
}

struct Node {
  const ScannedProcess* process = nullptr;
  std::vector<std::int32_t> children;
  std::uint64_t activity = 0;
};

class Forest {
 public:
  Forest(const std::vector<ScannedProcess>& before, const std::vector<ScannedProcess>& after) {
    for (const ScannedProcess& p : after) nodes_[p.stat.pid].process = &p;
    for (const ScannedProcess& p : before) AddActivityOf(p);
    for (const ScannedProcess& p : after) {
      if (const auto parent = nodes_.find(p.stat.ppid); parent != nodes_.end())
        parent->second.children.push_back(p.stat.pid);
    }
  }

  // The tool, its forebears, its other runs, and pid 1 of a whole machine. In a container pid 1 may
  // be the job.
  [[nodiscard]] std::set<std::int32_t> Excluded(std::int32_t tool) const {
    std::set<std::int32_t> excluded;
    for (auto at = nodes_.find(tool); at != nodes_.end() && excluded.insert(at->first).second;)
      at = nodes_.find(at->second.process->stat.ppid);
    const auto first = nodes_.find(1);
    const bool whole_machine = nodes_.contains(2) && nodes_.at(2).process->stat.kernel_thread;
    if (first != nodes_.end() && whole_machine) excluded.insert(1);
    for (const auto& [pid, node] : nodes_) {
      if (node.process->stat.command == kToolName) excluded.insert(pid);
    }
    return excluded;
  }

  [[nodiscard]] std::vector<std::int32_t> Roots(const std::set<std::int32_t>& excluded) const {
    std::vector<std::int32_t> roots;
    for (const auto& [pid, node] : nodes_) {
      const std::int32_t parent = node.process->stat.ppid;
      if (node.process->stat.kernel_thread || excluded.contains(pid)) continue;
      if (excluded.contains(parent) || !nodes_.contains(parent)) roots.push_back(pid);
    }
    return roots;
  }

  [[nodiscard]] const Node& At(std::int32_t pid) const { return nodes_.at(pid); }

 private:
  void AddActivityOf(const ScannedProcess& before) {
    const auto at = nodes_.find(before.stat.pid);
    if (at == nodes_.end() || at->second.process->stat.start_ticks != before.stat.start_ticks)
      return;
    const ScannedProcess& after = *at->second.process;
    if (after.slices > before.slices) at->second.activity += after.slices - before.slices;
    if (after.run_ns > before.run_ns) at->second.activity += 1;  // a spinner keeps its only slice
    if (before.hangs && after.hangs) at->second.activity += 1;
  }

  std::map<std::int32_t, Node> nodes_;
};

struct CandidateTree {
  std::int32_t root = 0;
  std::vector<std::int32_t> pids;
  std::size_t threads = 0;
  std::uint64_t activity = 0;
  bool uses_gpu = false;
};

CandidateTree Gather(const Forest& forest, std::int32_t root,
                     const std::set<std::int32_t>& excluded) {
  CandidateTree tree;
  tree.root = root;
  std::set<std::int32_t> seen{root};
  tree.pids.push_back(root);
  for (std::size_t i = 0; i < tree.pids.size(); ++i) {
    const Node& node = forest.At(tree.pids[i]);
    tree.threads += node.process->stat.threads;
    tree.activity += node.activity;
    tree.uses_gpu |= node.process->uses_gpu;
    for (const std::int32_t child : node.children) {
      if (!excluded.contains(child) && seen.insert(child).second) tree.pids.push_back(child);
    }
  }
  return tree;
}

// A process that waits for nobody but the device has nobody below it.
bool CouldBeJob(const CandidateTree& tree) {
  return tree.activity > 0 && (tree.pids.size() >= 2 || tree.uses_gpu);
}

// Every program that draws holds the display's device; /dev/nvidia-uvm is what CUDA opens.
bool UsesGpu(FileTree& files, std::int32_t pid) {
  if (const Result<std::string> text = files.Read(ProcessPath(pid, "maps"), kMapsLimit)) {
    const PidMaps maps = ParsePidMaps(*text);
    if (maps.cuda || maps.framework) return true;
  }
  std::vector<std::int32_t> fds = ListNumbers(files, ProcessPath(pid, "fd"));
  if (fds.size() > kAskedFds) fds.resize(kAskedFds);
  return std::any_of(fds.begin(), fds.end(), [&](std::int32_t fd) {
    const Result<std::string> link = files.ReadLink(ProcessPath(pid, "fd/" + std::to_string(fd)));
    return link && link->starts_with("/dev/nvidia-uvm");
  });
}

bool MoreActive(const CandidateTree& a, const CandidateTree& b) {
  return a.activity != b.activity ? a.activity > b.activity : a.root < b.root;
}

}  // namespace

std::vector<ScannedProcess> ScanProcesses(FileTree& files) {
  std::vector<ScannedProcess> processes;
  for (const std::int32_t pid : ListNumbers(files, "/proc")) {
    Result<PidStat> stat = ReadPidStat(files, pid);
    if (!stat || stat->state == 'Z') continue;
    // Of the kernel's threads only the parent of all is kept: it tells a machine from a container.
    if (stat->kernel_thread && pid != 2) continue;
    ScannedProcess process;
    process.stat = std::move(*stat);
    if (!process.stat.kernel_thread) {
      AddActivity(files, process);
      process.hangs = Hangs(files, process);
    }
    processes.push_back(std::move(process));
  }
  return processes;
}

void MarkGpuUsers(FileTree& files, const std::vector<ScannedProcess>& before,
                  std::vector<ScannedProcess>& after, std::int32_t tool) {
  std::vector<CandidateTree> single;
  {
    const Forest forest(before, after);
    const std::set<std::int32_t> excluded = forest.Excluded(tool);
    for (const std::int32_t root : forest.Roots(excluded)) {
      CandidateTree tree = Gather(forest, root, excluded);
      if (tree.pids.size() == 1 && tree.activity > 0) single.push_back(std::move(tree));
    }
  }
  std::sort(single.begin(), single.end(), MoreActive);
  if (single.size() > kAskedForGpu) single.resize(kAskedForGpu);
  for (const CandidateTree& tree : single) {
    const auto process = std::find_if(after.begin(), after.end(), [&](const ScannedProcess& p) {
      return p.stat.pid == tree.root;
    });
    process->uses_gpu = UsesGpu(files, tree.root);
  }
}

std::optional<Missing> WhyNotAll(FileTree& files, const std::vector<ScannedProcess>& scan) {
  if (scan.empty()) {
    return Missing{Why::kNotPresent, _("/proc shows no process: is it mounted?")};
  }
  // The kernel's own process is shown to everybody on a whole machine, but for hidepid.
  const bool whole_machine = std::any_of(
      scan.begin(), scan.end(), [](const ScannedProcess& p) { return p.stat.kernel_thread; });
  if (whole_machine) return std::nullopt;
  const Result<std::string> mounts = files.Read("/proc/self/mountinfo");
  if (mounts && mounts->find("hidepid=") != std::string::npos) {
    return Missing{Why::kNoPermission,
                   _("/proc is mounted with hidepid: processes of other users are not shown")};
  }
  return Missing{Why::kNoPermission,
                 _("this is a container (a PID namespace): only its own processes are shown")};
}

Candidates ChooseCandidates(const std::vector<ScannedProcess>& before,
                            const std::vector<ScannedProcess>& after, std::int32_t tool,
                            std::size_t max_threads) {
  const Forest forest(before, after);
  const std::set<std::int32_t> excluded = forest.Excluded(tool);
  std::vector<CandidateTree> trees;
  for (std::vector<std::int32_t> roots = forest.Roots(excluded); !roots.empty();) {
    CandidateTree tree = Gather(forest, roots.back(), excluded);
    roots.pop_back();
    if (!CouldBeJob(tree)) continue;
    if (tree.threads > max_threads && forest.At(tree.root).process->stat.threads <= kLauncher) {
      const std::vector<std::int32_t>& children = forest.At(tree.root).children;
      std::copy_if(children.begin(), children.end(), std::back_inserter(roots),
                   [&](std::int32_t child) { return !excluded.contains(child); });
      continue;
    }
    trees.push_back(std::move(tree));
  }
  std::sort(trees.begin(), trees.end(), MoreActive);
  Candidates chosen;
  std::size_t threads = 0;
  for (const CandidateTree& tree : trees) {
    if (threads + tree.threads > max_threads && threads > 0) {
      chosen.left_out_processes += tree.pids.size();
      continue;
    }
    threads += tree.threads;
    ++chosen.trees;
    chosen.pids.insert(chosen.pids.end(), tree.pids.begin(), tree.pids.end());
  }
  std::sort(chosen.pids.begin(), chosen.pids.end());
  return chosen;
}

}  // namespace gpuwhy
