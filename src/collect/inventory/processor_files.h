// Files of the host's processors.
#pragma once

#include "capture/capture.h"
#include "capture/interner.h"
#include "os/host.h"

namespace gpuwhy {

/// Model, cores, clock limits, and what the kernel was started with: read once. What hundreds of
/// files say alike becomes one text whose path has a * for the number.
void KeepProcessors(Host host, Interner& names, Capture& out);
/// How often cores were slowed because of heat, all together: at the start and the end.
void KeepThrottles(Host host, Interner& names, Capture& out);

}  // namespace gpuwhy
