// Counters of block devices, from /proc/diskstats.
#pragma once

#include <memory>

#include "capture/interner.h"
#include "collect/source.h"
#include "os/host.h"

namespace gpuwhy {

/// host and names must outlive the source. Leaves out RAM disks, and loop devices that never saw
/// any I/O. The first look also says what the devices lie on.
[[nodiscard]] std::unique_ptr<Source> MakeBlockSource(Host host, Interner& names);

}  // namespace gpuwhy
