#include "base/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace gpuwhy {

double Quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  const double at = std::clamp(share, 0.0, 1.0) * last;
  const auto below = static_cast<std::size_t>(std::floor(at));
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double part = at - static_cast<double>(below);
  return values[below] + part * (values[above] - values[below]);
}

}  // namespace gpuwhy
