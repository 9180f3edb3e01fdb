#include "derive/job_facts.h"

#include <algorithm>
#include <map>

#include "base/i18n.h"
#include "derive/fact_writer.h"
#include "derive/window.h"

namespace gpuwhy {
namespace {

constexpr const char* kSchedstat = "/proc/PID/task/*/schedstat";

bool Above(const std::string& upper, const std::string& path) {
  if (upper.empty()) return false;
  if (upper == "/" || upper == path) return true;
  return path.size() > upper.size() && path.compare(0, upper.size(), upper) == 0 &&
         path[upper.size()] == '/';
}

Reading<double> QuotaCores(const CgroupCpuSample& sample) {
  if (!sample.quota_us) return sample.quota_us.missing();
  if (!sample.period_us) return sample.period_us.missing();
  if (*sample.period_us == 0) return Missing{Why::kFailed, "period 0"};
  return static_cast<double>(*sample.quota_us) / static_cast<double>(*sample.period_us);
}

/// First known of the readings' reasons where all are Missing.
CpuUse SumOf(const JobInWindow& job, const std::vector<std::size_t>& processes) {
  CpuUse sum;
  bool any = false;
  for (const std::size_t process : processes) {
    const CpuUse& use = job.cpu[process];
    // A process that came or went within the window has no rate of its own: it is left out.
    if (!use.run) continue;
    if (any) {
      sum.Add(use);
    } else {
      sum = use;
      any = true;
    }
  }
  if (!any && !processes.empty()) sum = job.cpu[processes.front()];
  return sum;
}

Share StateShare(const ProcessSums& sums, ProcessState state) {
  return WilsonShare(static_cast<double>(sums.Count(state)), static_cast<double>(sums.looks));
}

/// A share, or Missing where the process could not be seen for most of the time; what was not seen
/// could have been this, so it widens the interval upwards.
void WriteShare(FactWriter& writer, FactId id, const JobInWindow& job, const ProcessSums& sums,
                const Share& share, const Missing* unseen) {
  const double hidden = sums.looks == 0 ? 0
                                        : static_cast<double>(sums.Count(ProcessState::kUnseen)) /
                                              static_cast<double>(sums.looks);
  Reading<double> value = share.value;
  if (sums.looks == 0) value = WhyNothing(job.capture, "job", _("no look at the process"));
  if (hidden > 0.5) {
    value = unseen != nullptr ? *unseen : Missing{Why::kNoPermission, "/proc/PID/task/*/syscall"};
  }
  writer.Sampled(id, JobSubject(job), StatKind::kShare, sums.looks, value,
                 {share.low, std::min(1.0, share.high + hidden)});
}

}  // namespace

bool HoldsJob(const JobInWindow& job, const std::string& path) {
  bool known = false;
  for (const std::size_t process : job.tree) {
    for (const CgroupRef& ref : job.processes.At(process).cgroups) {
      known = true;
      if (Above(path, job.capture.Name(ref.path))) return true;
    }
  }
  return !known;
}

Subject JobSubject(const JobInWindow& job) {
  return {SubjectKind::kJob, std::to_string(job.processes.Pid(job.root))};
}

const Missing* WhyUnseen(const JobInWindow& job, std::size_t process) {
  const Reading<bool>& visible = job.processes.At(process).waits_visible;
  // "Not sampled" says that nobody asked, not that it may not be read.
  if (visible || visible.missing().why == Why::kNotSampled) return nullptr;
  return &visible.missing();
}

Reading<double> CoresAllowed(const JobInWindow& job, const std::vector<std::size_t>& processes) {
  Reading<double> most = Missing{Why::kNotSampled, "/proc/PID/status"};
  for (const std::size_t process : processes) {
    const Reading<std::uint32_t>& allowed = job.processes.At(process).cpus_allowed;
    if (!allowed) {
      if (!most) most = allowed.missing();
    } else if (*allowed > 0 && (!most || *most < *allowed)) {
      most = static_cast<double>(*allowed);
    }
  }
  if (most && job.capture.host.cpus_online > 0) {
    most = std::min(*most, static_cast<double>(job.capture.host.cpus_online));
  }
  return most;
}

QuotaUse WriteCgroupFacts(const JobInWindow& job, FactSet& facts) {
  std::map<std::string, Ends<CgroupCpuSample>> paths;
  for (const CgroupCpuSample& sample : job.capture.cgroup_cpu) {
    NoteEnd(paths[job.capture.Name(sample.path)], sample, job.window);
  }
  QuotaUse quota;
  quota.cores = Missing{Why::kNotSampled, "cpu.max"};
  quota.throttled = quota.cores;
  for (const auto& [path, ends] : paths) {
    if (!HoldsJob(job, path)) continue;
    const Reading<double> cores = QuotaCores(*ends.last);
    if (cores ? !quota.cores || *cores < *quota.cores : !quota.cores) quota.cores = cores;
    Reading<double> periods = Missing{Why::kNotSampled, _("cpu.stat was read once only")};
    Reading<double> stopped = periods;
    if (ends.Span() > 0) {
      periods = Growth(ends.first->periods, ends.last->periods, "nr_periods");
      stopped = Growth(ends.first->throttled_periods, ends.last->throttled_periods, "nr_throttled");
    }
    Reading<double> share = !periods ? periods : stopped;
    if (share) {
      share = Missing{Why::kNotPresent, _("no quota period passed")};
      if (*periods > 0) share = std::clamp(*stopped / *periods, 0.0, 1.0);
    }
    const Subject cgroup{SubjectKind::kCgroup, path};
    FactWriter writer(facts, job.window, {"cgroup", "cpu.stat", Origin::kComputed});
    writer.Counted(FactId::kCgroupPeriods, cgroup, StatKind::kDelta, periods);
    writer.Counted(FactId::kCgroupThrottled, cgroup, StatKind::kShare, share);
    if (share ? !quota.throttled || *share > *quota.throttled : !quota.throttled) {
      quota.throttled = share;
      quota.path = path;
    }
  }
  return quota;
}

void WriteJobFacts(const JobInWindow& job, const QuotaUse& quota, FactSet& facts) {
  const Subject subject = JobSubject(job);
  FactWriter read(facts, job.window, {"job", "/proc/PID/stat", Origin::kRead});
  read.Text(FactId::kJobRoot, subject, job.capture.Name(job.processes.At(job.root).command));
  std::uint64_t threads = 0;
  for (const std::size_t process : job.tree) {
    threads += std::max<std::uint64_t>(job.processes.At(process).threads, job.cpu[process].threads);
  }
  read.Counted(FactId::kJobProcesses, subject, StatKind::kLast,
               static_cast<double>(job.tree.size()));
  read.Counted(FactId::kJobThreads, subject, StatKind::kLast, static_cast<double>(threads));
  const CpuUse cpu = SumOf(job, job.tree);
  FactWriter computed(facts, job.window, {"job", kSchedstat, Origin::kComputed});
  computed.Counted(FactId::kJobRun, subject, StatKind::kMean, cpu.run);
  computed.Counted(FactId::kJobDelay, subject, StatKind::kMean, cpu.delay);
  Reading<double> all = CpuWithChildren(job.capture, job.processes, job.members, job.window);
  // Ticks are coarse: what the scheduler counted in nanoseconds was used in any case.
  if (all && cpu.run) all = std::max(*all, *cpu.run);
  FactWriter(facts, job.window, {"job", "/proc/PID/stat", Origin::kComputed})
      .Counted(FactId::kJobRunAll, subject, StatKind::kMean, all);
  FactWriter(facts, job.window, {"job", "/proc/PID/status", Origin::kRead})
      .Counted(FactId::kJobCoresAllowed, subject, StatKind::kLast, CoresAllowed(job, job.tree));
  FactWriter(facts, job.window, {"cgroup", "cpu.max or cpu.cfs_quota_us", Origin::kRead})
      .Counted(FactId::kJobCoresQuota, subject, StatKind::kLast, quota.cores);
  const IoUse io = IoOf(job.capture, job.processes, job.members, job.window);
  FactWriter writer(facts, job.window, {"job", "/proc/PID/io", Origin::kComputed});
  writer.Counted(FactId::kJobReadRate, subject, StatKind::kMean, io.read_chars);
  writer.Counted(FactId::kJobReadCalls, subject, StatKind::kMean, io.read_calls);
  writer.Counted(FactId::kJobDiskRead, subject, StatKind::kMean, io.read_bytes);
  Reading<double> size = io.read_chars;
  if (io.read_chars && !io.read_calls) size = io.read_calls.missing();
  if (size) {
    size = *io.read_calls > 0 ? Reading<double>(*io.read_chars / *io.read_calls)
                              : Reading<double>(Why::kNotPresent, _("no read call in the window"));
  }
  writer.Counted(FactId::kJobReadSize, subject, StatKind::kMean, size);
}

FillerUse UseOfFillers(const JobInWindow& job, const Looks& looks,
                       const std::vector<std::size_t>& fillers) {
  FillerUse use;
  use.cpu = SumOf(job, fillers);
  ProcessSums all;
  double idle_queue = 0;
  double storage = 0;
  for (const std::size_t filler : fillers) {
    const ProcessSums& sums = looks.sums[filler];
    all.looks += sums.looks;
    all.storage_by_channel += sums.storage_by_channel;
    for (const Work work : {Work::kRead, Work::kOpen, Work::kWrite, Work::kFault}) {
      storage += sums.Sum(work);
    }
    for (std::size_t s = 0; s < kProcessStates; ++s) all.states[s] += sums.states[s];
    for (std::size_t w = 0; w < kWorks; ++w) all.work[w] += sums.work[w];
    idle_queue += static_cast<double>(sums.idle_queue);
    const std::uint64_t active = sums.Count(ProcessState::kActive);
    use.workers +=
        active == 0 ? 1 : static_cast<double>(sums.active_threads) / static_cast<double>(active);
  }
  use.looks = all.looks;
  use.opens_hidden = static_cast<double>(all.storage_by_channel) > storage / 2;
  const auto n = static_cast<double>(all.looks);
  use.run = WilsonShare(all.Sum(Work::kRun), n);
  use.read = WilsonShare(all.Sum(Work::kRead), n);
  use.open = WilsonShare(all.Sum(Work::kOpen), n);
  use.write = WilsonShare(all.Sum(Work::kWrite), n);
  use.fault = WilsonShare(all.Sum(Work::kFault), n);
  use.mixed = WilsonShare(all.Sum(Work::kMixed), n);
  use.full = StateShare(all, ProcessState::kFull);
  use.starved = StateShare(all, ProcessState::kStarved);
  use.unseen = StateShare(all, ProcessState::kUnseen);
  if (n > 0) {
    // Idle in an empty or a full queue is slack; every other wait is part of an item's time.
    const auto waits =
        static_cast<double>(all.Count(ProcessState::kOther) + all.Count(ProcessState::kUnproven) +
                            all.Count(ProcessState::kRequests) + all.Count(ProcessState::kUnseen));
    use.rest = std::max(0.0, waits - idle_queue) / n + use.mixed.value;
  }
  return use;
}

void WriteConsumerFacts(const JobInWindow& job, const Looks& looks, const Chain& chain,
                        FactSet& facts) {
  const ProcessSums& sums = looks.sums[chain.consumer];
  const Missing* unseen = WhyUnseen(job, chain.consumer);
  FactWriter sampled(facts, job.window, {"job", kWaits, Origin::kSampled});
  WriteShare(sampled, FactId::kConsumerWait, job, sums, StateShare(sums, ProcessState::kStarved),
             unseen);
  WriteShare(sampled, FactId::kConsumerRequests, job, sums,
             StateShare(sums, ProcessState::kRequests), unseen);
  WriteShare(sampled, FactId::kConsumerTimer, job, sums,
             WilsonShare(static_cast<double>(sums.timer), static_cast<double>(sums.looks)), unseen);
  Share unproven = StateShare(sums, ProcessState::kUnproven);
  if (chain.proof == ConsumerProof::kThreads) {
    unproven = WilsonShare(
        static_cast<double>(sums.main_futex_helped + sums.Count(ProcessState::kUnproven)),
        static_cast<double>(sums.looks));
  }
  WriteShare(sampled, FactId::kConsumerUnproven, job, sums, unproven, unseen);
  const Subject subject = JobSubject(job);
  FactWriter(facts, job.window, {"job", kSchedstat, Origin::kComputed})
      .Counted(FactId::kConsumerRun, subject, StatKind::kMean, job.cpu[chain.consumer].run);
  FactWriter(facts, job.window, {"job", "/proc/PID/task/*/status", Origin::kComputed})
      .Counted(FactId::kConsumerWakes, subject, StatKind::kMean, job.cpu[chain.consumer].wakes);
}

void WriteFillerFacts(const JobInWindow& job, const Chain& chain, const FillerUse& use,
                      FactSet& facts) {
  const Subject subject = JobSubject(job);
  FactWriter sampled(facts, job.window, {"job", kWaits, Origin::kSampled});
  FactWriter computed(facts, job.window, {"job", kSchedstat, Origin::kComputed});
  computed.Counted(FactId::kFillers, subject, StatKind::kLast,
                   static_cast<double>(chain.fillers.size()));
  Reading<double> run = use.cpu.run;
  Reading<double> delay = use.cpu.delay;
  Missing none{Why::kNotPresent, _("no process was seen to fill what the consumer waits for")};
  if (chain.fillers.empty()) {
    run = none;
    delay = none;
  }
  computed.Counted(FactId::kFillersRun, subject, StatKind::kMean, run);
  computed.Counted(FactId::kFillersDelay, subject, StatKind::kMean, delay);
  if (use.looks == 0 && !chain.fillers.empty()) none = {Why::kNotSampled, "/proc/PID/task"};
  const double named = use.run.value + use.read.value + use.open.value + use.write.value +
                       use.fault.value + use.full.value + use.unseen.value;
  const Share other = WilsonShare(std::max(0.0, 1 - named) * static_cast<double>(use.looks),
                                  static_cast<double>(use.looks));
  const std::pair<FactId, const Share*> shares[] = {
      {FactId::kFillersReadWait, &use.read},   {FactId::kFillersOpenWait, &use.open},
      {FactId::kFillersWriteWait, &use.write}, {FactId::kFillersFaultWait, &use.fault},
      {FactId::kFillersQueueFull, &use.full},  {FactId::kFillersOther, &other},
      {FactId::kFillersBlind, &use.unseen}};
  for (const auto& [id, share] : shares) {
    const Reading<double> value = use.looks > 0 ? Reading<double>(share->value) : none;
    // What was asleep unseen could be any of these waits.
    const double hidden = id == FactId::kFillersBlind ? 0 : use.unseen.value;
    sampled.Sampled(id, subject, StatKind::kShare, use.looks, value,
                    {share->low, std::min(1.0, share->high + hidden)});
  }
}

}  // namespace gpuwhy
