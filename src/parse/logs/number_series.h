// Adds to a NumberSeries within bounded memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

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

/// A line for people: tabs are blanks, and what is too long ends after a word with "...".
inline QuotedLine Quote(std::uint32_t number, std::string_view line) {
  constexpr std::size_t kMost = 400;
  std::size_t begin = 0;
  while (begin < line.size() && (line[begin] == ' ' || line[begin] == '\t')) ++begin;
  std::string text(line.substr(begin, kMost + 1));
  std::replace(text.begin(), text.end(), '\t', ' ');
  if (text.size() > kMost) {
    const std::size_t blank = text.rfind(' ');
    text.resize(blank == std::string::npos || blank < kMost / 2 ? kMost : blank);
    text += " ...";
  }
  return QuotedLine{number, std::move(text)};
}

}  // namespace gpuwhy
