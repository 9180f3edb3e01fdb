#include "derive/process_table.h"

#include <algorithm>

namespace gpuwhy {

ProcessTable::ProcessTable(const Capture& capture) {
  processes_.reserve(capture.processes.size());
  for (const ProcessSeen& process : capture.processes) {
    if (process.pid > 0) processes_.push_back(&process);
  }
  std::stable_sort(processes_.begin(), processes_.end(),
                   [](const ProcessSeen* a, const ProcessSeen* b) { return a->pid < b->pid; });
  processes_.erase(
      std::unique(processes_.begin(), processes_.end(),
                  [](const ProcessSeen* a, const ProcessSeen* b) { return a->pid == b->pid; }),
      processes_.end());
  for (std::size_t i = 0; i < processes_.size(); ++i) by_pid_.emplace(processes_[i]->pid, i);
  parents_.assign(processes_.size(), kNoProcess);
  children_.resize(processes_.size());
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    const auto parent = by_pid_.find(processes_[i]->ppid);
    if (parent == by_pid_.end() || parent->second == i) continue;
    parents_[i] = parent->second;
    children_[parent->second].push_back(i);
  }
}

std::optional<std::size_t> ProcessTable::Index(std::int32_t pid) const {
  const auto it = by_pid_.find(pid);
  if (it == by_pid_.end()) return std::nullopt;
  return it->second;
}

bool ProcessTable::IsAncestor(std::size_t ancestor, std::size_t index) const {
  std::size_t above = parents_[index];
  for (int i = 0; i < kMaxGenerations && above != kNoProcess; ++i) {
    if (above == ancestor) return true;
    above = parents_[above];
  }
  return false;
}

std::size_t ProcessTable::CommonAncestor(std::size_t a, std::size_t b) const {
  std::size_t above = a;
  for (int i = 0; i < kMaxGenerations && above != kNoProcess; ++i) {
    if (Pid(above) == 1) return kNoProcess;
    if (above == b || IsAncestor(above, b)) return above;
    above = parents_[above];
  }
  return kNoProcess;
}

std::vector<std::size_t> ProcessTable::Tree(std::size_t root) const {
  std::vector<bool> seen(size(), false);
  std::vector<std::size_t> tree{root};
  seen[root] = true;
  for (std::size_t next = 0; next < tree.size(); ++next) {
    for (const std::size_t child : children_[tree[next]]) {
      if (seen[child]) continue;
      seen[child] = true;
      tree.push_back(child);
    }
  }
  std::sort(tree.begin(), tree.end());
  return tree;
}

}  // namespace gpuwhy
