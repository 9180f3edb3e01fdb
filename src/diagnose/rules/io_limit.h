// Is a read limit full on a device that the loaders wait for? Looked at by input.io-throttled, and
// by input.storage-latency so that the storage is not blamed for it.
#pragma once

#include <string>
#include <vector>

#include "diagnose/rules/storage_wait.h"

namespace gpuwhy {

/// The fullest limit of the job's cgroups, on whatever device; nullptr where none has one, or none
/// is full: it reaches policy.io_limit_used, or three quarters while the device itself explains
/// next to nothing of the wait.
[[nodiscard]] const Fact* FullReadLimit(const FactSet& facts, const InputPolicy& policy);

struct LimitedWait {
  Answer answer = Answer::kUnknown;
  // Set where the answer is kYes: of the mount most waited for whose limit is full.
  const Fact* used = nullptr;
  Subject mount;
  Subject limit;  ///< ReadLimitSubject
  std::string cgroup, device;
};

/// A full limit on another disk holds back none of the waits on this one. mounts: MountsByWait.
/// What is missing is noted in view.
[[nodiscard]] LimitedWait LookAtReadLimit(RuleView& view, const std::vector<WaitedMount>& mounts,
                                          const InputPolicy& policy);

}  // namespace gpuwhy
