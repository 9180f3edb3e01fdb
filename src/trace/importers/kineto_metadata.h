// Device properties, rank and time base of a Kineto trace.
#pragma once

#include <string>

#include "trace/timeline.h"

namespace gpuwhy::trace {

/// Never fails: metadata that can't be read is said in timeline.problems.
void ReadKinetoMetadata(const std::string& json, Timeline& timeline);

}  // namespace gpuwhy::trace
