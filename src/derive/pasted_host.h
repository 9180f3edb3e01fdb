// Facts from pasted outputs of host tools.
#pragma once

#include <vector>

#include "capture/pasted.h"
#include "facts/fact_set.h"

namespace gpuwhy {

// The parts of it.
void DerivePastedCpu(const std::vector<HostRow>& rows, FactSet& facts);
void DerivePastedIo(const std::vector<HostRow>& rows, FactSet& facts);
void DerivePastedProcesses(const Pasted& pasted, FactSet& facts);

}  // namespace gpuwhy
