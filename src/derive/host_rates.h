// Counters of the host as a whole, as rates over the window: host.* and block.*.
#pragma once

#include "capture/capture.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// host.*: shares of the time of all CPUs (pressure: of the wall time), 0..1; block.*: seconds a
/// read, bytes and reads per second, share of the time with a request. Missing where a counter was
/// not read twice or fell.
void DeriveHostRates(const Capture& capture, const Scope& window, FactSet& facts);

}  // namespace gpuwhy
