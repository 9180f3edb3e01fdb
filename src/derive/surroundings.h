// Facts of what the job was given to work with.
#pragma once

#include "capture/capture.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// job: the subject of the watched job.
void DeriveSurroundings(const Capture& capture, const Subject& job, FactSet& facts);

}  // namespace gpuwhy
