// Sources for the host as a whole: CPU time and PSI, block devices, mounts.
#pragma once

#include <memory>
#include <vector>

#include "capture/interner.h"
#include "collect/source.h"
#include "os/host.h"

namespace gpuwhy {

/// host and interner must outlive the sources, also when a worker was given up.
[[nodiscard]] std::vector<std::unique_ptr<Source>> MakeHostSources(Host host, Interner& interner);
/// Kernel, machine, CPUs, tick rate, keyed id. Never fails: what can't be read stays unknown (0,
/// "").
[[nodiscard]] HostInfo ReadHostInfo(Host host);

}  // namespace gpuwhy
