// Adds to a NumberSeries within bounded memory.
#pragma once

#include <algorithm>
#include <cstddef>

#include "capture/pasted_logs.h"

namespace gpuwhy {

/// Points are kept evenly: when the room is full every second one goes and the stride doubles.
inline void AddNumber(NumberSeries& series, double value) {
  constexpr std::size_t kMost = 2048;
  if (series.count == 0) series.first = series.min = series.max = value;
  series.min = std::min(series.min, value);
  series.max = std::max(series.max, value);
  series.last = value;
  series.sum += value;
  if (series.count++ % series.stride != 0) return;
  if (series.points.size() == kMost) {
    for (std::size_t i = 0; 2 * i < kMost; ++i) series.points[i] = series.points[2 * i];
    series.points.resize(kMost / 2);
    series.stride *= 2;
    if ((series.count - 1) % series.stride != 0) return;
  }
  series.points.push_back(value);
}

/// A line for people: printable enough to keep, cut to a bounded length.
inline QuotedLine Quote(std::uint32_t number, std::string_view line) {
  constexpr std::size_t kMost = 400;
  std::size_t begin = 0;
  while (begin < line.size() && (line[begin] == ' ' || line[begin] == '\t')) ++begin;
  return QuotedLine{number, std::string(line.substr(begin, kMost))};
}

}  // namespace gpuwhy
