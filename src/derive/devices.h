// Facts of the GPUs that were watched: the ids that pasted outputs give too, over the window
// instead of at a moment.
#pragma once

#include <string>

#include "capture/capture.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// The GPU at a PCI address: by its uuid where the driver told it.
[[nodiscard]] Subject GpuAt(const Capture& capture, const std::string& address);

void DeriveDevices(const Capture& capture, FactSet& facts);

}  // namespace gpuwhy
