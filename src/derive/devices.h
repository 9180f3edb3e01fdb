// Facts of the GPUs that were watched: the ids that pasted outputs give too, over the window
// instead of at a moment.
#pragma once

#include "capture/capture.h"
#include "facts/fact_set.h"

namespace gpuwhy {

void DeriveDevices(const Capture& capture, FactSet& facts);

}  // namespace gpuwhy
