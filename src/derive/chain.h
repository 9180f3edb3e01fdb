// The wait chain of one job: its consumer and the processes that fill what the consumer waits for.
#pragma once

#include <cstdint>
#include <vector>

#include "derive/counters.h"
#include "derive/looks.h"
#include "derive/objects.h"
#include "derive/process_table.h"

namespace gpuwhy {

/// How the consumer was found.
enum class ConsumerProof : unsigned char {
  kNone,     ///< no process of the job was seen
  kStarved,  ///< it waits for what others fill
  kFull,     ///< others wait because it does not drain
  kThreads,  ///< its main thread waits while its other threads work: likely, not provable
  kRoot,     ///< nobody waits for anybody: the job's own process
};

struct Chain {
  std::size_t consumer = kNoProcess;
  ConsumerProof proof = ConsumerProof::kNone;
  std::vector<std::size_t> fillers;  ///< those that do the work, by index
};

struct JobInWindow {
  const Capture& capture;
  const ProcessTable& processes;
  std::vector<std::size_t> tree;  ///< by index; the root is `root`
  std::vector<bool> members;
  std::size_t root = kNoProcess;
  std::vector<CpuUse> cpu;  ///< by index of processes
  Scope window;
};

/// Looks at the job over its window. Where workers hang in storage for good, their ancestors count
/// as starved although nothing wakes them any more.
[[nodiscard]] Looks LookAtJob(const JobInWindow& job, const ObjectIndex& objects);

/// given_pid: --pid; a candidate with that pid is preferred. 0: none.
[[nodiscard]] Chain FindChain(const JobInWindow& job, const Looks& looks, std::int32_t given_pid);

}  // namespace gpuwhy
