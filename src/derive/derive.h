// Capture in, FactSet out. Pure: the same capture always gives the same facts, live or replayed.
#pragma once

#include "capture/capture.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// Of the last kMostDiagnosed at most (the facts' window says which). Where the capture holds
/// pasted outputs, of those alone. Never fails: what was not seen is a Missing fact or a Blind. The
/// facts refer to nothing in the capture.
[[nodiscard]] FactSet Derive(const Capture& capture);

/// Facts of the node alone: devices, inventory, kernel log. No job is looked for.
[[nodiscard]] FactSet DeriveNode(const Capture& capture);

}  // namespace gpuwhy
