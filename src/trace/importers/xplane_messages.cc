#include "trace/importers/xplane_messages.h"

#include <array>
#include <utility>

#include "trace/importers/wire.h"

namespace gpuwhy::trace {
namespace {

// Numbers of the fields in xplane.proto.
enum : int {
  kPlaneName = 2,
  kPlaneLines = 3,
  kPlaneEventNames = 4,
  kPlaneStatNames = 5,
  kPlaneStats = 6,
  kLineId = 1,
  kLineName = 2,
  kLineTimestamp = 3,
  kLineEvents = 4,
  kLineDisplayName = 11,
};

// An entry of a map of metadata: its key, and in its value the name. False: damaged.
bool AddName(std::string_view entry, std::unordered_map<std::uint64_t, std::string_view>& names) {
  std::uint64_t id = 0;
  std::string_view name;
  const bool whole = ForEachField(entry, [&](const WireField& field) {
    if (field.number == 1) id = field.value;
    if (field.number != 2) return true;
    return ForEachField(field.bytes, [&](const WireField& inner) {
      if (inner.number == 2) name = inner.bytes;
      return true;
    });
  });
  names[id] = name;
  return whole;
}

}  // namespace

XStat StatByName(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, XStat>, 6> kStats = {
      {{"correlation_id", XStat::kCorrelation},
       {"memcpy_details", XStat::kCopyDetails},
       {"step_num", XStat::kStepNumber},
       {"step_name", XStat::kStepName},
       {"core_count", XStat::kCoreCount},
       {"profile_start_time", XStat::kProfileStart}}};
  for (const auto& [text, stat] : kStats) {
    if (text == name) return stat;
  }
  return XStat::kOther;
}

bool ReadPlane(std::string_view message, XPlane& plane) {
  bool named = true;
  const bool whole = ForEachField(message, [&](const WireField& field) {
    switch (field.number) {
      case kPlaneName:
        plane.name = field.bytes;
        break;
      case kPlaneLines:
        plane.lines.push_back(field.bytes);
        break;
      case kPlaneEventNames:
        named = AddName(field.bytes, plane.event_names) && named;
        break;
      case kPlaneStatNames:
        named = AddName(field.bytes, plane.stat_names) && named;
        break;
      case kPlaneStats:
        plane.stats.push_back(field.bytes);
        break;
      default:
        break;
    }
    return true;
  });
  return whole && named;
}

bool ReadLine(std::string_view message, XLine& line) {
  std::string_view display_name;
  const bool whole = ForEachField(message, [&](const WireField& field) {
    switch (field.number) {
      case kLineId:
        line.id = field.value;
        break;
      case kLineName:
        line.name = field.bytes;
        break;
      case kLineDisplayName:
        display_name = field.bytes;
        break;
      case kLineTimestamp:
        line.timestamp_ns = static_cast<std::int64_t>(field.value);
        break;
      case kLineEvents:
        line.events.push_back(field.bytes);
        break;
      default:
        break;
    }
    return true;
  });
  if (line.name.empty()) line.name = display_name;
  return whole;
}

}  // namespace gpuwhy::trace
