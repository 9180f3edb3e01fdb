// cgroup.io.* and mount.limit.*: read limits over the job, how full they are, and which of the
// loaders' reads they can hold back.
#pragma once

#include <string>
#include <vector>

#include "derive/chain.h"
#include "derive/storage_waits.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// What one cgroup over the job may read from one device.
struct ReadLimit {
  std::string cgroup;
  DeviceNumber device;
  Reading<double> used;  ///< of the fuller one of its two limits; 1: full
  Reading<double> ops;   ///< read requests per second
};

/// Subject: ReadLimitSubject. Groups that the job is not in are left out.
[[nodiscard]] std::vector<ReadLimit> WriteCgroupIoFacts(const JobInWindow& job, FactSet& facts);

/// The loaders' waits on the mounts for which one limit is the fullest, and what the device itself
/// would take of them.
struct LimitedReads {
  const ReadLimit* limit = nullptr;
  double read = 0, open = 0;  ///< of all of the loaders' time
  Reading<double> device;     ///< the limit's reads in the device at once, on average
  Reading<double> busy;       ///< share of time with a request in the device
};

/// mount.limit.* of each mount that loaders wait on; nothing where no limit is set at all. The
/// result refers to limits.
[[nodiscard]] std::vector<LimitedReads> WriteMountLimits(const JobInWindow& job,
                                                         const std::vector<MountShare>& waits,
                                                         const std::vector<ReadLimit>& limits,
                                                         FactSet& facts);

}  // namespace gpuwhy
