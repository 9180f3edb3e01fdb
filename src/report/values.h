// Measured values as people read them: "87 %", "1.2 GB/s", "41 % (35-47 %)".
#pragma once

#include <string>

#include "base/percent.h"
#include "diagnose/finding.h"
#include "facts/fact.h"

namespace gpuwhy {

/// number with its unit, at three significant digits.
[[nodiscard]] std::string QuantityText(double number, Unit unit);
/// The fact's value, with its 95 % interval where it was sampled, or why it is missing.
[[nodiscard]] std::string ValueText(const Fact& fact);
/// "would shorten the step by 41 % (35-47 %)", "bounds 85 % of the step", or "" where neither is
/// known. has_steps: else the wall time is meant.
[[nodiscard]] std::string GainText(const Finding& finding, bool has_steps);

}  // namespace gpuwhy
