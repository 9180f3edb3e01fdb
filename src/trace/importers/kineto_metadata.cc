#include "trace/importers/kineto_metadata.h"

#include <nlohmann/json.hpp>

#include "base/i18n.h"

namespace gpuwhy::trace {
namespace {

using Json = nlohmann::json;

std::int64_t Whole(const Json& object, const char* key, std::int64_t otherwise) {
  const auto it = object.find(key);
  return it != object.end() && it->is_number_integer() ? it->get<std::int64_t>() : otherwise;
}

void ReadDevices(const Json& root, Timeline& timeline) {
  const auto list = root.find("deviceProperties");
  if (list == root.end() || !list->is_array()) return;
  for (const Json& item : *list) {
    if (!item.is_object()) continue;
    DeviceInfo device;
    device.id = Whole(item, "id", 0);
    const auto name = item.find("name");
    if (name != item.end() && name->is_string()) device.name = name->get<std::string>();
    device.sm_count = static_cast<std::uint32_t>(Whole(item, "numSms", 0) & 0xFFFF);
    timeline.devices.push_back(std::move(device));
  }
}

}  // namespace

void ReadKinetoMetadata(const std::string& json, Timeline& timeline) {
  const Json root = Json::parse(json, nullptr, false);
  if (root.is_discarded() || !root.is_object()) {
    timeline.problems.emplace_back(
        _("the trace's metadata (devices, rank, time base) can't be read"));
    return;
  }
  ReadDevices(root, timeline);
  if (const auto it = root.find("distributedInfo"); it != root.end() && it->is_object()) {
    timeline.rank = Whole(*it, "rank", -1);
    timeline.world_size = Whole(*it, "world_size", -1);
  }
  if (root.contains("baseTimeNanoseconds")) {
    timeline.base_ns = Whole(root, "baseTimeNanoseconds", 0);
    timeline.base_known = true;
  }
}

}  // namespace gpuwhy::trace
