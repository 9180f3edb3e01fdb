// Facts from pasted outputs: the same ids as live readings, so that the same rules judge them.
#pragma once

#include "capture/capture.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// All of them, and what the outputs could not show.
void DerivePasted(const Capture& capture, FactSet& facts);

// The parts of it.
/// GPUs: each under its uuid, else its address, else its number; moments of one output in order.
/// Links: also kernel modules and the tools' own messages. Logs: DeriveLogs().
void DerivePastedGpus(const Capture& capture, FactSet& facts);
void DerivePastedLinks(const Capture& capture, FactSet& facts);
void DerivePastedLogs(const Capture& capture, FactSet& facts);

}  // namespace gpuwhy
