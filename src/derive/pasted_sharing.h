// Who computes on one GPU, by the samples of nvidia-smi pmon.
#pragma once

#include <cstddef>
#include <functional>

#include "capture/capture.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// Where several processes compute on a GPU: its load as the sum of theirs, and what all but the
/// busiest of them take, which nothing tells from the job's. number: of the next moment, raised for
/// each that is written. subject_of: the GPU that a process runs on.
void DerivePastedSharing(const Capture& capture, std::size_t& number,
                         const std::function<Subject(const GpuProcess&)>& subject_of,
                         FactSet& facts);

}  // namespace gpuwhy
