#include "collect/procfs/job_tree.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "collect/procfs/proc_paths.h"

namespace gpuwhy {
namespace {

// A cycle can't be, but a parent may end and its number be given again between two reads.
constexpr int kMostGenerations = 64;

// Children of all processes by one pass over /proc, for kernels without task/*/children.
class ParentScan {
 public:
  explicit ParentScan(FileTree& files) : files_(files) {}
  const std::vector<std::int32_t>& ChildrenOf(std::int32_t pid) {
    if (!scanned_) {
      scanned_ = true;
      for (const std::int32_t p : ListNumbers(files_, "/proc")) {
        if (const Result<PidStat> stat = ReadPidStat(files_, p)) children_[stat->ppid].push_back(p);
      }
    }
    return children_[pid];
  }

 private:
  FileTree& files_;
  bool scanned_ = false;
  std::map<std::int32_t, std::vector<std::int32_t>> children_;
};

std::vector<std::int32_t> ParsePids(std::string_view text) {
  std::vector<std::int32_t> pids;
  for (const std::string_view field : Fields(Trim(text))) {
    if (const std::optional<std::int32_t> pid = ParseNumber<std::int32_t>(field))
      pids.push_back(*pid);
  }
  return pids;
}

std::vector<std::int32_t> ChildrenOf(FileTree& files, const TreeProcess& process,
                                     ParentScan& scan) {
  std::vector<std::int32_t> children;
  for (const std::int32_t tid : process.tids) {
    const Result<std::string> text = files.Read(ThreadPath(process.stat.pid, tid, "children"));
    if (text) {
      const std::vector<std::int32_t> more = ParsePids(*text);
      children.insert(children.end(), more.begin(), more.end());
    } else if (tid == process.stat.pid) {  // the main thread has none: no such file here
      return scan.ChildrenOf(process.stat.pid);
    }
  }
  return children;
}

}  // namespace

Result<PidStat> ReadPidStat(FileTree& files, std::int32_t pid) {
  const Result<std::string> text = files.Read(ProcessPath(pid, "stat"));
  if (!text) return text.error();
  return ParsePidStat(*text);
}

std::vector<std::int32_t> ListNumbers(FileTree& files, const std::string& folder) {
  std::vector<std::int32_t> numbers;
  const Result<std::vector<std::string>> names = files.List(folder);
  if (!names) return numbers;
  for (const std::string& name : *names) {
    if (const std::optional<std::int32_t> number = ParseNumber<std::int32_t>(name))
      numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::int32_t ClimbToRoot(FileTree& files, std::int32_t pid, std::int32_t tool) {
  const Result<std::string> program = files.ReadLink(ProcessPath(pid, "exe"));
  Result<PidStat> stat = ReadPidStat(files, pid);
  if (!program || !stat) return pid;
  for (int generation = 0; generation < kMostGenerations; ++generation) {
    if (stat->ppid <= 0 || stat->ppid == tool) break;
    Result<PidStat> parent = ReadPidStat(files, stat->ppid);
    const Result<std::string> exe = files.ReadLink(ProcessPath(stat->ppid, "exe"));
    if (!parent || !exe || *exe != *program || parent->pgrp != stat->pgrp) break;
    stat = std::move(parent);
  }
  return stat->pid;
}

Tree ReadTree(FileTree& files, const std::vector<std::int32_t>& members, std::int32_t except,
              TreeLimits limits) {
  Tree tree;
  ParentScan scan(files);
  std::set<std::int32_t> known(members.begin(), members.end());
  std::vector<std::int32_t> queue(known.begin(), known.end());
  std::size_t threads = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (queue[i] == except) continue;
    Result<PidStat> stat = ReadPidStat(files, queue[i]);
    if (!stat || stat->state == 'Z' || stat->state == 'X') continue;
    TreeProcess process{std::move(*stat), ListNumbers(files, ProcessPath(queue[i], "task"))};
    for (const std::int32_t child : ChildrenOf(files, process, scan)) {
      if (known.insert(child).second) queue.push_back(child);
    }
    if (tree.processes.size() >= limits.processes || threads >= limits.threads) {
      ++tree.left_out;
      continue;
    }
    // Of a process with too many threads the first are looked at: the main one and what it started
    // first say more than nothing.
    if (process.tids.size() > limits.threads - threads) {
      tree.threads_left_out += process.tids.size() - (limits.threads - threads);
      process.tids.resize(limits.threads - threads);
    }
    threads += process.tids.size();
    tree.processes.push_back(std::move(process));
  }
  std::sort(tree.processes.begin(), tree.processes.end(),
            [](const TreeProcess& a, const TreeProcess& b) { return a.stat.pid < b.stat.pid; });
  return tree;
}

}  // namespace gpuwhy
