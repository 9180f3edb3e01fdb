#pragma once

#include <vector>

namespace gpuwhy {

/// The value below which `share` (0..1) of the values lie, with straight lines between neighbours:
/// of an even count the median is the mean of the two in the middle. Precondition: not empty.
[[nodiscard]] double Quantile(std::vector<double> values, double share);

}  // namespace gpuwhy
