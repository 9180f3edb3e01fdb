// FactSet: all that is known of one run, immutable once built. Rules see nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "facts/fact.h"

namespace gpuwhy {

/// Who waits for whom. Both ends are named; `resource` says what ends the chain here ("cpu",
/// "storage", ...).
struct WaitEdge {
  Subject from, to;
  std::string kind;  ///< mechanism: "pipe", "unix", "tcp", "futex", "semaphore", "read", "open",
                     ///< "run-queue", "quota", ...
  std::string resource;  ///< finding vocabulary's resource; empty where the chain goes on
  std::string object;    ///< the thing between: "pipe:[123]", a path, a cgroup
  double share = 0;      ///< of the scope, with its 95 % interval
  Interval interval;
  std::string proof;   ///< "candidate" | "membership" | "direction" | "waker": how well the far end
                       ///< is known
  std::string source;  ///< where it was read
};

/// What shows that a process uses, or is made to use, a device.
enum class GpuSign : unsigned char {
  kNone,
  kFramework,  ///< it maps a library such as torch, TensorFlow, JAX or CUDA's runtime
  kDevice,     ///< it maps the driver's library, or holds a device
};

struct JobFacts {
  Subject subject;
  std::string command;  ///< comm of its root: not an argument list
  std::int32_t root_pid = 0;
  std::int32_t consumer_pid = 0;  ///< 0: none found
  std::vector<std::int32_t> filler_pids;
  std::size_t processes = 0, threads = 0;
  double score = 0;    ///< of discovery: 0..1, how like a job it is; 1 where it was given by --pid
  bool given = false;  ///< by --pid
  std::string working_folder;    ///< of its root; empty: may not be read
  std::string cgroup;            ///< of its root; empty: none, or the root of the hierarchy
  Reading<double> age_s;         ///< seconds from its start to the start of watching
  Reading<double> cores;         ///< CPU time per second, of the processes that lived throughout
  GpuSign gpu = GpuSign::kNone;  ///< the strongest of any of its processes
  std::uint64_t looks = 0;       ///< of discovery, at the process that decided the score
};

/// May its work be spoken of as that of a GPU job? One that was named is what its user says it is.
[[nodiscard]] inline bool LooksLikeGpuJob(const JobFacts& job) {
  return job.given || job.gpu != GpuSign::kNone;
}

/// Where one place of the window had something that could not be seen.
struct Blind {
  std::string what;  ///< already translated: what was not seen
  std::string why;
  std::string how;                 ///< what would show it
  std::vector<std::string> hides;  ///< finding ids
  /// It may be the whole answer (a stopped process, one that hangs): said beside the verdict.
  bool urgent = false;
};

struct StepFacts {
  std::size_t count = 0;
  double median_s = 0, p95_s = 0;
  std::optional<double> throughput;
  std::string unit, source;
  std::size_t left_out = 0;  ///< first ones that hold start-up, in none of the figures above
  std::size_t span = 0;      ///< steps from the first that was printed to the last; 0: not known
};

class FactSet {
 public:
  void Add(Fact fact);

  /// The first fact with this id and subject (any scope); nullptr where there is none.
  [[nodiscard]] const Fact* Find(FactId id, const Subject& subject) const;
  /// All facts with this id, in order of insertion: "for each mount", "for each GPU".
  [[nodiscard]] std::vector<const Fact*> All(FactId id) const;
  /// Its number, or why there is none.
  [[nodiscard]] Reading<double> Number(FactId id, const Subject& subject) const;
  [[nodiscard]] const std::vector<Fact>& facts() const { return facts_; }

  std::vector<JobFacts> jobs;        ///< best first; the first is the one diagnosed
  std::vector<WaitEdge> wait_chain;  ///< from the consumer down
  /// GPUs that a process of the diagnosed job computes on, by the driver's own list; empty: not
  /// known.
  std::vector<Subject> job_gpus;
  std::vector<Blind> blinds;  ///< what the collectors could not see
  std::optional<StepFacts> step;
  Scope window;
  /// No source answered, or no process of what was asked for was seen: that the rules are silent
  /// means nothing.
  bool nothing_seen = false;
  std::int32_t asked_pid = 0;  ///< --pid; 0: the job was to be found
  bool traced = false;         ///< from profiler traces: a job ran, its processes are not known
  bool node_only = false;      ///< no job was looked for
  bool pasted = false;         ///< from outputs of other tools: moments, not a window
  bool job_ended = false;      ///< the job that was found is not there any more
  bool few_looks = false;      ///< too few looks at the job to say what it waits for

 private:
  std::vector<Fact> facts_;
  std::map<std::pair<FactId, Subject>, std::size_t> first_;
};

}  // namespace gpuwhy
