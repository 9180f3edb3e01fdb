// The messages of an XPlane file, as far as they are asked for.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gpuwhy::trace {

/// What of the statistics of a plane or an event is asked for.
enum class XStat : unsigned char {
  kOther,
  kCorrelation,
  kCopyDetails,
  kStepNumber,
  kStepName,
  kCoreCount,
  kProfileStart
};

[[nodiscard]] XStat StatByName(std::string_view name);

/// Texts and messages are views into the file.
struct XPlane {
  std::string_view name;
  std::vector<std::string_view> lines, stats;
  std::unordered_map<std::uint64_t, std::string_view> event_names, stat_names;
};

/// False: damaged; what was read before stays.
bool ReadPlane(std::string_view message, XPlane& plane);

struct XLine {
  std::string_view name;
  std::uint64_t id = 0;
  std::int64_t timestamp_ns = 0;
  std::vector<std::string_view> events;
};

/// As ReadPlane.
bool ReadLine(std::string_view message, XLine& line);

}  // namespace gpuwhy::trace
