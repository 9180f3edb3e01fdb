// Facts out of handed-in texts: what messages say, how a training loop ran, what tables show.
#pragma once

#include <vector>

#include "capture/pasted_logs.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// Adds to facts. Facts of one text have the input as subject; host-wide ones the host.
void DeriveLogs(const std::vector<LogText>& logs, FactSet& facts);

}  // namespace gpuwhy
