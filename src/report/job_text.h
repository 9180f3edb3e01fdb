// One job in a line: what a person needs to tell it from the others.
#pragma once

#include <string>

#include "facts/fact_set.h"

namespace gpuwhy {

/// "45 s", "12 min", "2 h 5 min", "3 d 4 h": as long as is asked for by one who looks for the job
/// that he started this morning. "unknown" for what is no time.
[[nodiscard]] std::string AgeText(double seconds);
/// Command, size, CPU, age, working folder and control group; what is not known is left out.
[[nodiscard]] std::string JobText(const JobFacts& job);

}  // namespace gpuwhy
