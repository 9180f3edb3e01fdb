// Processes that do nothing at all, and why: stopped by a signal or a debugger, frozen with their
// control group, or hanging in one call on a mount. Their silence must not read as "nothing to
// mend".
#pragma once

#include <vector>

#include "derive/chain.h"
#include "derive/looks.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// Of the job that is diagnosed. A filler that hangs is no news: the chain ends there.
void NoteHeld(const JobInWindow& job, const Looks& looks, const std::vector<std::size_t>& fillers,
              FactSet& facts);
/// Of all that were looked at, where no job was chosen; facts.jobs are the candidates.
void NoteHeldOnHost(const Capture& capture, const ProcessTable& processes, FactSet& facts);

}  // namespace gpuwhy
