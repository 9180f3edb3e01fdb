#include "derive/cgroup_io.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/i18n.h"
#include "derive/fact_writer.h"
#include "derive/job_facts.h"
#include "derive/mount_devices.h"
#include "derive/window.h"

namespace gpuwhy {
namespace {

Reading<double> Limit(const Reading<std::uint64_t>& limit) {
  if (!limit) return limit.missing();
  return static_cast<double>(*limit);
}

Reading<double> Rate(const Ends<CgroupIoSample>& ends,
                     Reading<std::uint64_t> CgroupIoSample::*counter) {
  if (ends.first == nullptr || ends.last == nullptr || !(ends.Span() > 0)) {
    return Missing{Why::kNotSampled, _("io.stat was read once only")};
  }
  Reading<double> growth = Growth(ends.first->*counter, ends.last->*counter, "io.stat");
  if (!growth) return growth;
  return *growth / ends.Span();
}

/// The fuller of the two limits; Missing where neither is set, or neither rate is known.
Reading<double> Used(const Reading<double>& ops, const Reading<double>& ops_limit,
                     const Reading<double>& rate, const Reading<double>& rate_limit) {
  Reading<double> used = Missing{Why::kNotPresent, "io.max"};
  for (const auto& [value, limit] : {std::pair{&ops, &ops_limit}, std::pair{&rate, &rate_limit}}) {
    if (!*limit || **limit <= 0) continue;
    if (!*value) {
      if (!used) used = value->missing();
      continue;
    }
    const double share = **value / **limit;
    used = used ? std::max(*used, share) : share;
  }
  return used;
}

/// The fullest limit on one of a mount's devices. Missing{kNotPresent}: none of them has one.
Reading<std::size_t> FullestUnder(const DevicesUnder& under, const std::vector<ReadLimit>& limits) {
  Reading<std::size_t> fullest = Missing{Why::kNotPresent, "io.max"};
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const ReadLimit& limit = limits[i];
    if (!std::binary_search(under.devices.begin(), under.devices.end(), limit.device)) continue;
    const bool fuller =
        !fullest ||
        (limit.used && (!limits[*fullest].used || *limit.used > *limits[*fullest].used));
    if (fuller) fullest = i;
  }
  return fullest;
}

LimitedReads StartOf(const ReadLimit& limit, const std::string& device, const FactSet& facts) {
  const Subject block{SubjectKind::kBlockDevice, device};
  LimitedReads reads;
  reads.limit = &limit;
  reads.busy = facts.Number(FactId::kBlockBusy, block);
  const Reading<double> await = facts.Number(FactId::kBlockReadAwait, block);
  if (!limit.ops) {
    reads.device = limit.ops.missing();
  } else if (!await) {
    reads.device = await.missing();
  } else {
    reads.device = *limit.ops * *await;  // Little's law
  }
  return reads;
}

}  // namespace

std::vector<ReadLimit> WriteCgroupIoFacts(const JobInWindow& job, FactSet& facts) {
  std::map<std::pair<std::string, DeviceNumber>, Ends<CgroupIoSample>> groups;
  for (const CgroupIoSample& sample : job.capture.cgroup_io) {
    NoteEnd(groups[{job.capture.Name(sample.path), sample.device}], sample, job.window);
  }
  const MountDevices devices(job.capture);
  std::vector<ReadLimit> limits;
  for (const auto& [key, ends] : groups) {
    if (ends.last == nullptr || !HoldsJob(job, key.first)) continue;
    const Subject subject = ReadLimitSubject(key.first, devices.NameOf(key.second));
    const Reading<double> ops_limit = Limit(ends.last->read_ops_limit);
    const Reading<double> rate_limit = Limit(ends.last->read_bytes_limit);
    const Reading<double> ops = Rate(ends, &CgroupIoSample::reads);
    const Reading<double> rate = Rate(ends, &CgroupIoSample::read_bytes);
    limits.push_back({key.first, key.second, Used(ops, ops_limit, rate, rate_limit), ops});
    FactWriter read(facts, job.window, {"cgroup", "io.max", Origin::kRead});
    read.Counted(FactId::kCgroupReadOpsLimit, subject, StatKind::kLast, ops_limit);
    read.Counted(FactId::kCgroupReadRateLimit, subject, StatKind::kLast, rate_limit);
    FactWriter computed(facts, job.window, {"cgroup", "io.stat", Origin::kComputed});
    computed.Counted(FactId::kCgroupReadOps, subject, StatKind::kMean, ops);
    computed.Counted(FactId::kCgroupReadRate, subject, StatKind::kMean, rate);
    computed.Counted(FactId::kCgroupReadUsed, subject, StatKind::kShare, limits.back().used);
  }
  return limits;
}

std::vector<LimitedReads> WriteMountLimits(const JobInWindow& job,
                                           const std::vector<MountShare>& waits,
                                           const std::vector<ReadLimit>& limits, FactSet& facts) {
  std::vector<LimitedReads> limited;
  if (limits.empty()) return limited;
  const MountDevices devices(job.capture);
  std::map<std::size_t, std::size_t> place;  // of a limit in limited
  FactWriter read(facts, job.window, {"mounts", "/proc/PID/mountinfo, io.max", Origin::kRead});
  FactWriter computed(facts, job.window, {"cgroup", "io.stat", Origin::kComputed});
  for (const MountShare& wait : waits) {
    const Subject mount{SubjectKind::kMount, wait.point};
    const DevicesUnder under = devices.Under(*wait.mount);
    const Reading<std::size_t> fullest = FullestUnder(under, limits);
    if (!fullest) {
      computed.Counted(FactId::kMountLimitUsed, mount, StatKind::kShare,
                       under.all ? fullest.missing() : under.all.missing());
      continue;
    }
    const ReadLimit& limit = limits[*fullest];
    const std::string device = devices.NameOf(limit.device);
    read.Text(FactId::kMountLimitCgroup, mount, limit.cgroup);
    read.Text(FactId::kMountLimitDevice, mount, device);
    computed.Counted(FactId::kMountLimitUsed, mount, StatKind::kShare, limit.used);
    const auto [at, added] = place.try_emplace(*fullest, limited.size());
    if (added) limited.push_back(StartOf(limit, device, facts));
    limited[at->second].read += wait.read.value;
    limited[at->second].open += wait.open.value;
  }
  return limited;
}

}  // namespace gpuwhy
