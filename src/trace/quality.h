// What makes a trace's figures doubtful: clocks that disagree, launches that are missing, events
// that were lost.
#pragma once

#include "trace/timeline.h"

namespace gpuwhy::trace {

/// Appends what it finds to timeline.problems.
void CheckQuality(Timeline& timeline);

}  // namespace gpuwhy::trace
