// Shares as people read them: one way to round for findings, reports and traces.
#pragma once

#include <string>

namespace gpuwhy {

/// share 0..1 as whole percent, halves rounded up; under 1 % with a decimal and under 0.1 % as
/// "<0.1 %", so that something small is not shown as nothing.
[[nodiscard]] std::string PercentText(double share);
/// "41 % (35-47 %)"; the interval is left out where it has no width at this precision.
[[nodiscard]] std::string PercentText(double share, double low, double high);

}  // namespace gpuwhy
