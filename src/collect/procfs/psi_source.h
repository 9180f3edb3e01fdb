// Stall time of the whole host, from /proc/pressure.
#pragma once

#include <memory>

#include "collect/source.h"
#include "os/host.h"

namespace gpuwhy {

/// host must outlive the source. Where the kernel was booted with psi=0 a read fails with
/// EOPNOTSUPP: Missing{kNotSupported}; where it was built without PSI: Missing{kNotPresent}.
[[nodiscard]] std::unique_ptr<Source> MakePsiSource(Host host);

}  // namespace gpuwhy
