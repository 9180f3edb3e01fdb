#include "derive/gains.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/i18n.h"
#include "derive/fact_writer.h"
#include "derive/mount_devices.h"

namespace gpuwhy {
namespace {

constexpr double kMostlyHidden = 0.5;
constexpr const char* kSource = "/proc/PID/task/*/{schedstat,stat,syscall,wchan}";

Missing WhyHidden(const JobInWindow& job, std::size_t process) {
  const Missing* why = WhyUnseen(job, process);
  return why != nullptr ? *why : Missing{Why::kNoPermission, "/proc/PID/task/*/syscall"};
}

/// Why no gain can be computed; nullopt where one can.
std::optional<Missing> WhyNoGain(const JobInWindow& job, const Looks& looks, const Chain& chain,
                                 const FillerUse& use) {
  const ProcessSums& consumer = looks.sums[chain.consumer];
  const auto looked = static_cast<double>(consumer.looks);
  if (consumer.looks < kMinLooksForGain) {
    return Missing{Why::kNotSampled, Format(_("{} looks at the consumer, {} are needed"),
                                            consumer.looks, kMinLooksForGain)};
  }
  if (static_cast<double>(consumer.Count(ProcessState::kUnseen)) > kMostlyHidden * looked) {
    return WhyHidden(job, chain.consumer);
  }
  const auto unproven = static_cast<double>(consumer.Count(ProcessState::kUnproven));
  if (chain.proof == ConsumerProof::kThreads ||
      (chain.fillers.empty() && unproven > kMostlyHidden * looked)) {
    return Missing{Why::kNotSupported,
                   _("what the consumer waits for has a far end that /proc does not show")};
  }
  if (chain.fillers.empty()) return std::nullopt;
  if (use.looks == 0) return Missing{Why::kNotSampled, _("no look at the loaders")};
  if (use.unseen.value > kMostlyHidden) return WhyHidden(job, chain.fillers.front());
  if (!use.cpu.run) return use.cpu.run.missing();
  if (!use.cpu.delay) return use.cpu.delay.missing();
  return std::nullopt;
}

/// One end of the intervals of all that was sampled.
enum class End : unsigned char { kValue, kLow, kHigh };

double At(const Share& share, End end) {
  if (end == End::kValue) return share.value;
  return end == End::kLow ? share.low : share.high;
}

/// Share of the wall time in which the consumer was ready to work and not on a CPU. Looks show that
/// it was one or the other; its counters in which proportion.
double ConsumerDelay(const JobInWindow& job, const Looks& looks, const Chain& chain) {
  const ProcessSums& sums = looks.sums[chain.consumer];
  const CpuUse& use = job.cpu[chain.consumer];
  // Not counted: then nothing is promised from the consumer's own waiting for a CPU.
  if (!use.run || !use.delay) return 0;
  const double run = *use.run;
  const double delay = *use.delay;
  if (sums.looks == 0 || !(run + delay > 0)) return 0;
  const double ready = sums.Sum(Work::kRun) / static_cast<double>(sums.looks);
  // Of several threads that are kept waiting at once the wall time shows one.
  return std::min(ready * delay / (run + delay), delay);
}

Demands DemandsAt(const JobInWindow& job, const Chain& chain, const FillerUse& use,
                  const QuotaUse& quota, const Share& starved, End end) {
  Demands demands;
  const double n = std::max(1.0, use.workers);
  demands.fillers = n;
  // WhyNoGain() saw to it that both were counted, unless there are no loaders, which demand
  // nothing.
  demands.cpu = use.cpu.run.ValueOr(0);
  demands.delay = use.cpu.delay.ValueOr(0);
  demands.read = n * At(use.read, end);
  demands.open = n * At(use.open, end);
  demands.other_storage = n * (At(use.write, end) + At(use.fault, end));
  demands.rest = n * use.rest;
  demands.consumer = 1 - At(starved, end);
  for (const std::size_t process : job.tree) {
    const bool filler = std::binary_search(chain.fillers.begin(), chain.fillers.end(), process);
    if (!filler && job.cpu[process].run) demands.other_cpu += *job.cpu[process].run;
  }
  // No mask read: all that the host has; 0, unknown, where that was not read either.
  const Reading<double> allowed = CoresAllowed(job, chain.fillers);
  demands.cores = allowed && *allowed > 0 ? *allowed : job.capture.host.cpus_online;
  // A quota that stopped nobody is no bound; one that did takes its part of the run delay, in
  // proportion to the periods in which it was full: schedstat has both in one number.
  if (quota.throttled && *quota.throttled > 0) {
    demands.quota_delay = *quota.throttled;
    if (quota.cores) demands.quota_cores = *quota.cores;
  }
  return demands;
}

/// CPU time per second that others used: of the host's what is not the job's.
Reading<double> OthersRun(const FactSet& facts, const JobInWindow& job, const Subject& subject) {
  const Reading<double> busy = facts.Number(FactId::kHostCpuBusy, Subject{});
  if (!busy) return busy.missing();
  // Without the children that came and went, those would be taken for others.
  Reading<double> run = facts.Number(FactId::kJobRunAll, subject);
  if (!run) run = facts.Number(FactId::kJobRun, subject);
  if (!run) return run.missing();
  if (job.capture.host.cpus_online == 0) return Missing{Why::kNotPresent, "/proc/stat"};
  return std::max(0.0, *busy * job.capture.host.cpus_online - *run);
}

/// CPU time per second of children that came and went between two looks: they need their core as
/// well.
double ShortLived(const FactSet& facts, const Subject& subject) {
  const Reading<double> all = facts.Number(FactId::kJobRunAll, subject);
  const Reading<double> run = facts.Number(FactId::kJobRun, subject);
  return all && run ? std::max(0.0, *all - *run) : 0;
}

/// Cores that the job may use and does not.
double UnusedCores(const Demands& demands) {
  return std::max(0.0, demands.cores - demands.cpu - demands.other_cpu);
}

/// Others can keep the loaders waiting by no more than the cores that they hold and the job may
/// use. The rest of the delay is the loaders' own crowding, or the quota's.
void NoteContention(Demands& demands, double others) {
  if (demands.delay <= 0) return;
  const double held = std::min(others, UnusedCores(demands));
  demands.foreign_delay = std::clamp(held / demands.delay, 0.0, 1 - demands.quota_delay);
}

/// How many times the loaders the idle cores carry: those of the job's that nobody uses.
double RoomForWorkers(const JobInWindow& job, const Demands& demands, double others) {
  if (demands.cpu <= 0) return 1;
  const double idle = job.capture.host.cpus_online - others - demands.cpu - demands.other_cpu;
  const double room = std::clamp(idle, 0.0, UnusedCores(demands));
  return (demands.cpu + room) / demands.cpu;
}

/// Idle cores of the host that the job may not use.
double RoomOutsideMask(const JobInWindow& job, const Demands& demands, double others) {
  const double online = job.capture.host.cpus_online;
  if (demands.cores <= 0 || demands.cores >= online) return 0;
  const double idle = online - others - demands.cpu - demands.other_cpu;
  return std::clamp(idle - UnusedCores(demands), 0.0, online - demands.cores);
}

/// Share of wall time in which the consumer was starved, each look weighed by the part of its
/// loaders that computed then rather than waited for storage.
double ComputingWaitedFor(const Looks& looks, const Chain& chain) {
  std::vector<bool> is_filler(looks.sums.size(), false);
  for (const std::size_t filler : chain.fillers) is_filler[filler] = true;
  double total = 0;
  std::size_t first = 0;
  while (first < looks.processes.size()) {
    double run = 0;
    double active = 0;
    bool starved = false;
    std::size_t i = first;
    for (; i < looks.processes.size() && looks.processes[i].tick == looks.processes[first].tick;
         ++i) {
      const ProcessLook& look = looks.processes[i];
      starved |= look.process == chain.consumer && look.state == ProcessState::kStarved;
      if (!is_filler[look.process] || look.active_threads == 0) continue;
      active += 1;
      run += look.work[static_cast<std::size_t>(Work::kRun)];
    }
    if (starved && active > 0) total += run / active;
    first = i;
  }
  return total;
}

struct GainRow {
  FactId id;
  Change change;
};

constexpr Change Without(double cpu, double read, double open, double other_storage) {
  return {.cpu = cpu, .read = read, .open = open, .other_storage = other_storage};
}

/// One more loader at least, as many as the idle cores carry at most.
void WriteGainOfWorkers(FactWriter& writer, const Subject& subject, const Demands& demands,
                        double room, std::uint64_t n) {
  const auto gain = [&](double times) {
    return Gain(demands, Change{.fillers = times}, DelayModel::kKept);
  };
  const double one_more = (demands.fillers + 1) / demands.fillers;
  const double low = gain(std::min(room, one_more));
  const double high = gain(room);
  writer.Sampled(FactId::kGainWorkers, subject, StatKind::kShare, n, (low + high) / 2, {low, high});
}

void WriteMissing(FactWriter& writer, const Subject& subject, const Missing& missing) {
  for (const FactId id : {FactId::kGainStorage, FactId::kGainStorageRead, FactId::kGainStorageOpen,
                          FactId::kGainCpuWork, FactId::kGainQuota, FactId::kGainContention,
                          FactId::kGainAffinity, FactId::kGainWorkers, FactId::kBoundCpu}) {
    writer.Sampled(id, subject, StatKind::kShare, 0, missing, {});
  }
}

void WriteBoundCpu(FactWriter& writer, const Subject& subject, const Looks& looks,
                   const Chain& chain, const FillerUse& use, const Demands& demands) {
  const std::uint64_t n = looks.sums[chain.consumer].looks;
  double own_part = 1;
  // As in DemandsAt(): 0 where there are no loaders.
  const double run = use.cpu.run.ValueOr(0);
  const double delay = use.cpu.delay.ValueOr(0);
  // A loader that a quota stops, others keep from its core or a mask from an idle one does not
  // compute.
  if (run + delay > 0) {
    const double kept = 1 - demands.quota_delay - demands.foreign_delay - MaskDelay(demands);
    own_part = (run + delay * std::clamp(kept, 0.0, 1.0)) / (run + delay);
  }
  const Share bound =
      WilsonShare(ComputingWaitedFor(looks, chain) * own_part, static_cast<double>(n));
  writer.Sampled(FactId::kBoundCpu, subject, StatKind::kShare, n, bound.value, ToInterval(bound));
}

/// Without one limit its reads still take their time in the device. What is left of the waits is
/// `left`, loaders on average.
Change WithoutLimit(const LimitedReads& limited, const Demands& demands, double left) {
  const double n = demands.fillers;
  const double held = n * (limited.read + limited.open);
  const double gone = held > 0 ? std::clamp(1 - left / held, 0.0, 1.0) : 0;
  Change change;
  if (demands.read > 0) change.read = 1 - gone * std::min(1.0, n * limited.read / demands.read);
  if (demands.open > 0) change.open = 1 - gone * std::min(1.0, n * limited.open / demands.open);
  return change;
}

/// The device's own time is a mean over all that it serves, and requests of one read may overlap in
/// it: so it bounds the gain from below, and a device that answers at once from above. Where it is
/// not known the limit may be as wide as the device.
GainRange GainOfLimit(const LimitedReads& limited, const Demands& value, const Demands& low,
                      const Demands& high) {
  const GainRange most = GainBetween(value, low, high, WithoutLimit(limited, value, 0));
  if (!limited.device) return {most.value / 2, {0, most.interval.high}};
  GainRange gain = GainBetween(value, low, high, WithoutLimit(limited, value, *limited.device));
  // A device that is busy for a part of the time can't do the same work in less than that, unless
  // it serves several requests at once. Not known: it may be busy all the time, so low is 0.
  const double room = std::max(0.0, 1 - limited.busy.ValueOr(1));
  gain.interval.low = std::min(gain.interval.low, room);
  gain.interval.high = std::max(gain.interval.high, most.interval.high);
  return gain;
}

void WriteGainsOfLimits(const GainInputs& in, FactWriter& writer, const Demands& value,
                        const Demands& low, const Demands& high) {
  const MountDevices devices(in.job.capture);
  for (const LimitedReads& limited : in.limited) {
    const GainRange gain = GainOfLimit(limited, value, low, high);
    writer.Sampled(FactId::kGainReadLimit,
                   ReadLimitSubject(limited.limit->cgroup, devices.NameOf(limited.limit->device)),
                   StatKind::kShare, in.use.looks, gain.value, gain.interval);
  }
}

}  // namespace

void WriteGains(const GainInputs& in, FactSet& facts) {
  const auto& [job, looks, chain, use, quota, limited] = in;
  const Subject subject = JobSubject(job);
  FactWriter writer(facts, job.window, {"law", kSource, Origin::kInferred});
  if (const std::optional<Missing> why = WhyNoGain(job, looks, chain, use)) {
    WriteMissing(writer, subject, *why);
    return;
  }
  const ProcessSums& consumer = looks.sums[chain.consumer];
  const Share starved = WilsonShare(static_cast<double>(consumer.Count(ProcessState::kStarved)),
                                    static_cast<double>(consumer.looks));
  const bool idle = chain.fillers.empty();
  const bool throttled = quota.throttled && *quota.throttled > 0;
  const Reading<double> others = OthersRun(facts, job, subject);
  writer.Counted(FactId::kOthersRun, subject, StatKind::kMean, others);
  Demands ends[] = {DemandsAt(job, chain, use, quota, starved, End::kValue),
                    DemandsAt(job, chain, use, quota, starved, End::kLow),
                    DemandsAt(job, chain, use, quota, starved, End::kHigh)};
  const double consumer_delay = ConsumerDelay(job, looks, chain);
  for (Demands& demands : ends) {
    demands.consumer_delay = consumer_delay;
    demands.other_cpu += ShortLived(facts, subject);
    if (!others) continue;
    NoteContention(demands, *others);
    demands.idle_outside = RoomOutsideMask(job, demands, *others);
  }
  const auto& [value, low, high] = ends;
  constexpr std::array kRows = {GainRow{FactId::kGainStorage, Without(1, 0, 0, 0)},
                                GainRow{FactId::kGainStorageRead, Without(1, 0, 1, 1)},
                                GainRow{FactId::kGainStorageOpen, Without(1, 1, 0, 1)},
                                GainRow{FactId::kGainCpuWork, Without(0, 1, 1, 1)},
                                GainRow{FactId::kGainQuota, {.without_quota = true}},
                                GainRow{FactId::kGainContention, {.without_contention = true}},
                                GainRow{FactId::kGainAffinity, {.without_mask = true}}};
  for (const GainRow& row : kRows) {
    GainRange gain = GainBetween(value, low, high, row.change);
    if (idle) gain = {0, {0, starved.high}};
    if (row.id == FactId::kGainQuota && !throttled) gain = {0, {0, 0}};
    const bool by_others = row.id == FactId::kGainContention || row.id == FactId::kGainAffinity;
    if (by_others && !others) continue;
    const bool by_call = row.id == FactId::kGainStorageRead || row.id == FactId::kGainStorageOpen;
    if (by_call && use.opens_hidden) {
      writer.Sampled(row.id, subject, StatKind::kShare, 0, WhyHidden(job, chain.fillers.front()),
                     {});
      continue;
    }
    writer.Sampled(row.id, subject, StatKind::kShare, consumer.looks, gain.value, gain.interval);
  }
  if (!others) {
    writer.Sampled(FactId::kGainContention, subject, StatKind::kShare, 0, others.missing(), {});
    writer.Sampled(FactId::kGainAffinity, subject, StatKind::kShare, 0, others.missing(), {});
    writer.Sampled(FactId::kGainWorkers, subject, StatKind::kShare, 0, others.missing(), {});
  } else if (!idle) {
    WriteGainOfWorkers(writer, subject, value, RoomForWorkers(job, value, *others), consumer.looks);
  }
  if (!idle) WriteGainsOfLimits(in, writer, value, low, high);
  WriteBoundCpu(writer, subject, looks, chain, use, value);
}

}  // namespace gpuwhy
