// Counters of the host as a whole, as rates over the window: host.* and block.*.
#pragma once

#include "capture/capture.h"
#include "facts/fact_set.h"

namespace gpuwhy {

void DeriveHostRates(const Capture& capture, const Scope& window, FactSet& facts);

}  // namespace gpuwhy
