// Facts of the GPUs that were watched: the ids that pasted outputs give too, over the window
// instead of at a moment.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "capture/capture.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// The GPU at a PCI address: by its uuid where the driver told it.
[[nodiscard]] Subject GpuAt(const Capture& capture, const std::string& address);

/// The GPUs on which the driver lists a process of pids.
[[nodiscard]] std::vector<Subject> GpusOf(const Capture& capture,
                                          const std::set<std::int32_t>& pids);

/// What others than pids compute on each of these GPUs.
void DeriveOthersLoad(const Capture& capture, const std::set<std::int32_t>& pids,
                      const std::vector<Subject>& gpus, FactSet& facts);

void DeriveDevices(const Capture& capture, FactSet& facts);

}  // namespace gpuwhy
