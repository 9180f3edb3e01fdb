// Which processes belong to a job: a tree of parents and children.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/file_tree.h"
#include "parse/procfs/pid_stat.h"

namespace gpuwhy {

struct TreeProcess {
  PidStat stat;
  std::vector<std::int32_t> tids;
};

/// Error: the process ended (ESRCH, ENOENT), may not be seen, or its content is not understood.
[[nodiscard]] Result<PidStat> ReadPidStat(FileTree& files, std::int32_t pid);

/// Names in a folder that are numbers, in rising order; empty where it can't be listed.
[[nodiscard]] std::vector<std::int32_t> ListNumbers(FileTree& files, const std::string& folder);

/// From pid up to the first of its forebears that runs another program or belongs to another
/// process group, or is the tool: workers that a program forked lead to the program. pid itself
/// where the links may not be read.
[[nodiscard]] std::int32_t ClimbToRoot(FileTree& files, std::int32_t pid, std::int32_t tool);

struct TreeLimits {
  std::size_t processes = 2000;
  std::size_t threads = 4000;
};

struct Tree {
  std::vector<TreeProcess> processes;  ///< in rising order of pid
  std::size_t left_out = 0;            ///< processes beyond the limits
  std::size_t threads_left_out = 0;    ///< of the processes that are in
};

/// The living processes among members and all their descendants, without `except` (the tool
/// itself). Members whose parent ended stay because they are members. Zombies are left out.
[[nodiscard]] Tree ReadTree(FileTree& files, const std::vector<std::int32_t>& members,
                            std::int32_t except, TreeLimits limits = {});

}  // namespace gpuwhy
