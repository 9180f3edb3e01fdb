// Capture in, FactSet out. Pure: the same capture always gives the same facts, live or replayed.
#pragma once

#include "capture/capture.h"
#include "facts/fact_set.h"

namespace gpuwhy {

[[nodiscard]] FactSet Derive(const Capture& capture);

}  // namespace gpuwhy
