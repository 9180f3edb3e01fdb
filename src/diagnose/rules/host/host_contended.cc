// cpu.contended from handed-in text: pidstat tells of the job's own processes how long they were
// ready and did not run.
#include <algorithm>

#include "base/i18n.h"
#include "diagnose/rules/host/host_rules.h"
#include "diagnose/rules/host/host_view.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr StatedClaim kClaim{
    "cpu.contended",
    Severity::kWarning,
    Confidence::kMedium,
    N_("Other processes take the job's cores"),
    N_("The job's processes were ready to run and did not for this share of the time, while all "
       "cores were taken and processes that are not of the job used part of them."),
    N_("Find out who else runs here, and give the job its own cores."),
    N_("Stop or move the other processes, or reserve cores for the job (cpuset, a request for "
       "whole cores)."),
    "pidstat -u 5 3"};

/// Share of all CPU time in use: as a tool tells it, else by adding up what is listed.
Reading<double> BusyShare(const FactSet& facts, double listed) {
  const std::vector<const Fact*> busy = NumbersOf(facts, FactId::kHostCpuBusy);
  if (!busy.empty()) return busy.front()->Number();
  for (const Fact* cpus : NumbersOf(facts, FactId::kHostCpus)) {
    if (cpus->Number() > 0) return listed / cpus->Number();
  }
  return {};
}

}  // namespace

RuleResult HostContended(const FactSet& facts, const Policy& policy) {
  if (!facts.pasted) return {};
  std::vector<const Fact*> evidence;
  double listed = 0;
  for (const ListedProcess& process : ListedProcesses(facts)) {
    if (process.run != nullptr) listed += process.run->Number();
    if (process.run_wait == nullptr || process.run_wait->Number() < policy.host.run_wait) continue;
    evidence.push_back(process.run_wait);
    evidence.push_back(process.command);
  }
  if (evidence.empty()) return {};
  if (LoadOfGpus(facts, policy.gpu) == GpuLoad::kBusy) return {};
  const std::vector<const Fact*> others = NumbersOf(facts, FactId::kHostOthersRun);
  if (others.empty()) {
    return HostCantTell("cpu.contended", Tr(Info(FactId::kHostOthersRun).meaning),
                        _("only the job's own processes are listed"),
                        _("pidstat -u 5 3 without -p, while the job runs"));
  }
  const Reading<double> busy = BusyShare(facts, listed + others.front()->Number());
  if (!busy) {
    return HostCantTell("cpu.contended", Tr(Info(FactId::kHostCpuBusy).meaning),
                        _("no output tells how many CPUs there are or how full they are"),
                        _("mpstat 5 3 beside pidstat, while the job runs"));
  }
  // The job that fills the cores by itself is no contention.
  if (*busy >= policy.host.busy && others.front()->Number() < policy.cpu.others) return {};
  if (*busy < policy.host.busy) {
    RuleResult result = HostCantTell(
        "cpu.contended", _("why the job's processes are ready to run and do not"),
        _("the cores are not full: a CPU quota or a narrow CPU mask would look like this"),
        _("cat /sys/fs/cgroup/.../cpu.stat (nr_throttled) of the job's cgroup, and taskset -pc "
          "PID"));
    result.unknowns.front().hides.emplace_back("cpu.quota-throttled");
    return result;
  }
  evidence.push_back(others.front());
  for (const Fact* line : HostLines(facts, *evidence.front())) evidence.push_back(line);
  return Stated(kClaim, evidence);
}

}  // namespace gpuwhy
