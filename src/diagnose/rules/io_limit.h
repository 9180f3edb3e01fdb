// Is a read limit of the job's cgroup full? Looked at by input.io-throttled, and by
// input.storage-latency so that the storage is not blamed for it.
#pragma once

#include "diagnose/rules/rule_view.h"

namespace gpuwhy {

/// The cgroup whose limit is used most; nullptr where none has a limit, or none reaches
/// policy.io_limit_used.
[[nodiscard]] const Fact* FullReadLimit(const FactSet& facts, const InputPolicy& policy);

}  // namespace gpuwhy
