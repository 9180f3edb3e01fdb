#include "parse/procfs/cgroup_io.h"

#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "parse/procfs/device_number.h"

namespace gpuwhy {
namespace {

// A group can't have more devices than this; a longer file is not one of these.
constexpr std::size_t kMostDevices = 1024;

Reading<std::uint64_t> Number(std::string_view text, std::string_view name) {
  if (text == "max") return {Why::kNotPresent, std::string(name)};
  if (const std::optional<std::uint64_t> value = ParseNumber<std::uint64_t>(text)) return *value;
  return {Why::kFailed, std::string(name)};
}

CgroupIoLine* Added(CgroupIoByDevice& devices, const DeviceNumber& device) {
  if (devices.size() >= kMostDevices && !devices.contains(device)) return nullptr;
  const auto [it, added] = devices.try_emplace(device);
  if (added) {
    it->second.read_ops_limit = Missing{Why::kNotPresent, "riops"};
    it->second.read_bytes_limit = Missing{Why::kNotPresent, "rbps"};
    it->second.reads = Missing{Why::kNotPresent, "rios"};
    it->second.read_bytes = Missing{Why::kNotPresent, "rbytes"};
  }
  return &it->second;
}

CgroupIoLine* Known(CgroupIoByDevice& devices, const DeviceNumber& device) {
  const auto it = devices.find(device);
  return it == devices.end() ? nullptr : &it->second;
}

/// Calls take(device, fields behind it) for each line that starts with a device number.
template <class Take>
void ForEachDevice(std::string_view text, Take&& take) {
  while (!text.empty()) {
    const std::vector<std::string_view> fields = Fields(NextLine(text));
    if (fields.size() < 2) continue;
    if (const std::optional<DeviceNumber> device = ParseDeviceNumber(fields.front()))
      take(*device, fields);
  }
}

/// The value of "key=value" among fields; empty where there is none.
std::string_view ValueOf(const std::vector<std::string_view>& fields, std::string_view key) {
  for (std::string_view field : fields) {
    const std::string_view name = NextToken(field, '=');
    if (name == key) return field;
  }
  return {};
}

}  // namespace

void ParseIoMax(std::string_view text, CgroupIoByDevice& devices) {
  ForEachDevice(text, [&](const DeviceNumber& device, const std::vector<std::string_view>& fields) {
    CgroupIoLine* line = Added(devices, device);
    if (line == nullptr) return;
    line->read_ops_limit = Number(ValueOf(fields, "riops"), "riops");
    line->read_bytes_limit = Number(ValueOf(fields, "rbps"), "rbps");
  });
}

void ParseIoStat(std::string_view text, CgroupIoByDevice& devices) {
  ForEachDevice(text, [&](const DeviceNumber& device, const std::vector<std::string_view>& fields) {
    CgroupIoLine* line = Known(devices, device);
    if (line == nullptr) return;
    line->reads = Number(ValueOf(fields, "rios"), "rios");
    line->read_bytes = Number(ValueOf(fields, "rbytes"), "rbytes");
  });
}

void ParseBlkio(BlkioFile file, std::string_view text, CgroupIoByDevice& devices) {
  ForEachDevice(text, [&](const DeviceNumber& device, const std::vector<std::string_view>& fields) {
    const bool limit = file == BlkioFile::kReadOpsLimit || file == BlkioFile::kReadBytesLimit;
    CgroupIoLine* line = limit ? Added(devices, device) : Known(devices, device);
    if (line == nullptr) return;
    if (limit) {
      const bool ops = file == BlkioFile::kReadOpsLimit;
      (ops ? line->read_ops_limit : line->read_bytes_limit) = Number(fields[1], "blkio.throttle");
    } else if (fields.size() >= 3 && fields[1] == "Read") {
      const bool ops = file == BlkioFile::kServiced;
      (ops ? line->reads : line->read_bytes) = Number(fields[2], "blkio.throttle");
    }
  });
}

}  // namespace gpuwhy
