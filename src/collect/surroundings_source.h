// What the job was given to work with: its container, its limits, its environment.
#pragma once

#include <cstdint>
#include <memory>

#include "capture/interner.h"
#include "collect/job_source.h"
#include "collect/source.h"
#include "os/host.h"

namespace gpuwhy {

/// Looks at the tree below pid, or below the focus once there is one. A worker of its own, because
/// a container's files may lie on a server that hangs. host and names must outlive the source.
[[nodiscard]] std::unique_ptr<Source> MakeSurroundingsSource(Host host, Interner& names,
                                                             std::int32_t pid,
                                                             std::shared_ptr<JobFocus> focus);

}  // namespace gpuwhy
