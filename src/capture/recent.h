// What of a long capture is kept: the answer covers its last minutes, and a run of a day must not
// need the memory of a day.
#pragma once

#include <chrono>

#include "capture/capture.h"

namespace gpuwhy {

/// How much of the end of a run is kept and diagnosed. At the default rates about 3 MiB a minute of
/// a job with 64 threads; a stall that comes once in a checkpoint still lies in it.
inline constexpr Nanos kMostDiagnosed = std::chrono::minutes(5);

/// Drops what lies between the end of discovery and `since`: samples, and of what is listed when it
/// changes (descriptors, mappings, sockets) all but the state at `since`; processes that were not
/// looked at any more, with what was theirs. Idempotent, and cutting in steps gives the same as
/// cutting once: so a live run, which cuts as it goes, and its recording give the same answer.
/// Clock pairs and mounts stay: they are few.
void KeepSince(Capture& capture, MonoTime since);

}  // namespace gpuwhy
