#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gpuwhy {

/// Of an even count the upper of the two in the middle. Precondition: not empty.
template <class T>
[[nodiscard]] T Median(std::vector<T> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace gpuwhy
