#include "derive/cgroup_io.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/i18n.h"
#include "derive/fact_writer.h"
#include "derive/job_facts.h"
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

}  // namespace

void WriteCgroupIoFacts(const JobInWindow& job, FactSet& facts) {
  std::map<std::pair<std::string, DeviceNumber>, Ends<CgroupIoSample>> groups;
  for (const CgroupIoSample& sample : job.capture.cgroup_io) {
    NoteEnd(groups[{job.capture.Name(sample.path), sample.device}], sample, job.window);
  }
  for (const auto& [key, ends] : groups) {
    if (ends.last == nullptr || !HoldsJob(job, key.first)) continue;
    const Subject cgroup{SubjectKind::kCgroup, key.first};
    const Reading<double> ops_limit = Limit(ends.last->read_ops_limit);
    const Reading<double> rate_limit = Limit(ends.last->read_bytes_limit);
    const Reading<double> ops = Rate(ends, &CgroupIoSample::reads);
    const Reading<double> rate = Rate(ends, &CgroupIoSample::read_bytes);
    FactWriter read(facts, job.window, {"cgroup", "io.max", Origin::kRead});
    read.Counted(FactId::kCgroupReadOpsLimit, cgroup, StatKind::kLast, ops_limit);
    read.Counted(FactId::kCgroupReadRateLimit, cgroup, StatKind::kLast, rate_limit);
    FactWriter computed(facts, job.window, {"cgroup", "io.stat", Origin::kComputed});
    computed.Counted(FactId::kCgroupReadOps, cgroup, StatKind::kMean, ops);
    computed.Counted(FactId::kCgroupReadRate, cgroup, StatKind::kMean, rate);
    computed.Counted(FactId::kCgroupReadUsed, cgroup, StatKind::kShare,
                     Used(ops, ops_limit, rate, rate_limit));
  }
}

}  // namespace gpuwhy
