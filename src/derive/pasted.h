// Facts from pasted outputs: the same ids as live readings, so that the same rules judge them.
#pragma once

#include "capture/capture.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// All of them, and what the outputs could not show.
void DerivePasted(const Capture& capture, FactSet& facts);

// The parts of it.
void DerivePastedGpus(const Capture& capture, FactSet& facts);
void DerivePastedLinks(const Capture& capture, FactSet& facts);
void DerivePastedLogs(const Capture& capture, FactSet& facts);

}  // namespace gpuwhy
