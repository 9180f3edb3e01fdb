// Watches the processes of a job: counters now and then, descriptors and mappings less often, waits
// as often as the budget allows.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/reading.h"
#include "capture/capture.h"
#include "capture/interner.h"
#include "collect/procfs/cgroup_reader.h"
#include "collect/procfs/fd_table.h"
#include "collect/procfs/job_process.h"
#include "collect/procfs/job_threads.h"
#include "collect/procfs/namespace_table.h"
#include "collect/procfs/region_table.h"
#include "collect/procfs/socket_table.h"
#include "collect/procfs/wait_resolver.h"
#include "os/host.h"

namespace gpuwhy {

class JobWatch {
 public:
  /// host and interner must outlive the watch. tool: the process that is never part of the job.
  JobWatch(Host host, Interner& interner, const std::string& machine, std::int32_t tool);

  /// From now on the job is these processes and their descendants; takes effect with Count().
  void Follow(std::vector<std::int32_t> members) { members_ = std::move(members); }

  /// Finds new and ended processes and threads, and reads all counters.
  void Count(bool with_switches, Capture& out);
  /// Puts all processes up for Survey().
  void PlanSurvey();
  /// Looks at descriptors, and of new processes also at mappings and mounts, one process after the
  /// other until `most` of wall time went by; then at the sockets. True when all is done.
  bool Survey(Nanos most, Capture& out);
  /// One look at the waits of all threads; where `most` CPU time is used up, the rest comes first
  /// in the next one. Threads of a process are never parted; where several trees are followed, nor
  /// are the processes of a tree: who waits for whom shows only in a look at both.
  void Sample(Nanos most, Capture& out);

  [[nodiscard]] std::size_t Processes() const { return processes_.size(); }
  /// See FdTable.
  [[nodiscard]] bool TakeSurprise() { return fds_.TakeSurprise(); }
  /// Each different thing that could not be seen, once.
  [[nodiscard]] std::vector<Missing> TakeMissing() { return std::exchange(missing_, {}); }
  void Report(const std::string& topic, Missing missing);

 private:
  using Processes_ = std::map<std::int32_t, JobProcess>;

  void DropEnded(const Tree& tree);
  JobProcess& Admit(const TreeProcess& process);
  void CountProcess(const TreeProcess& process, bool with_switches, Capture& out);
  void SurveyProcess(std::int32_t pid, Capture& out);
  void SurveySockets(Capture& out);
  void SampleProcess(std::int32_t pid, JobProcess& process, Capture& out);
  void Forget(std::int32_t pid);
  /// Puts the members in the order in which they are looked at.
  void Arrange(const Tree& tree);

  struct Turn {
    std::int32_t root = 0;  ///< of its tree
    std::int32_t pid = 0;
    friend auto operator<=>(const Turn&, const Turn&) = default;
  };

  Host host_;
  Interner& interner_;
  std::int32_t tool_;
  DescriptorBudget budget_;
  ThreadReader reader_;
  FdTable fds_;
  RegionTable regions_;
  WaitResolver resolver_;
  SocketTable sockets_;
  CgroupReader cgroups_;
  NamespaceTable namespaces_;
  std::vector<std::int32_t> members_;
  Processes_ processes_;
  std::map<std::int32_t, ProcessSeen> unseen_;  // admitted, but not surveyed yet
  std::deque<std::int32_t> to_survey_;
  std::vector<Turn> turns_;  // tree by tree
  Turn next_;                // where the next Sample begins
  std::uint32_t tick_ = 0;
  std::set<std::string> reported_;
  std::vector<Missing> missing_;
};

}  // namespace gpuwhy
