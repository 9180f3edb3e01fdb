// CPU time of the whole host, from /proc/stat.
#pragma once

#include <memory>

#include "collect/source.h"
#include "os/host.h"

namespace gpuwhy {

/// host must outlive the source.
[[nodiscard]] std::unique_ptr<Source> MakeCpuSource(Host host);

}  // namespace gpuwhy
