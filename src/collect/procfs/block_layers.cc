#include "collect/procfs/block_layers.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "parse/procfs/device_number.h"

namespace gpuwhy {
namespace {

// A device over more parts than this is none that a person made.
constexpr std::size_t kMostParts = 256;

std::string ParentOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

/// Where a link's text leads, by the text alone: "/sys/dev/block" and "../../devices/x/sda" give
/// "/sys/devices/x/sda".
std::string Follow(std::string folder, std::string_view link) {
  while (!link.empty()) {
    const std::string_view step = NextToken(link, '/');
    if (step == "..") {
      folder = ParentOf(folder);
    } else if (!step.empty() && step != ".") {
      folder += '/';
      folder += step;
    }
  }
  return folder;
}

Reading<DeviceNumber> ReadNumber(FileTree& files, const std::string& path) {
  const Result<std::string> text = files.Read(path);
  if (!text) return ToMissing(text.error());
  if (const std::optional<DeviceNumber> number = ParseDeviceNumber(Trim(*text))) return *number;
  return Missing{Why::kFailed, path};
}

void Append(DeviceNumber device, const Reading<DeviceNumber>& below, Capture& out) {
  BlockLayer layer;
  layer.device = device;
  if (below) {
    layer.below = *below;
    layer.known = true;
  } else {
    layer.known = below.missing();
  }
  out.block_layers.push_back(std::move(layer));
}

void AppendLayersOf(FileTree& files, DeviceNumber device, Capture& out) {
  constexpr const char* kDevices = "/sys/dev/block";
  const Result<std::string> link =
      files.ReadLink(fmt::format("{}/{}:{}", kDevices, device.major, device.minor));
  if (!link) {
    Append(device, ToMissing(link.error()), out);
    return;
  }
  const std::string folder = Follow(kDevices, *link);
  if (files.Read(folder + "/partition")) {
    Append(device, ReadNumber(files, ParentOf(folder) + "/dev"), out);
    return;
  }
  const Result<std::vector<std::string>> parts = files.List(folder + "/slaves");
  if (!parts) return;
  for (std::size_t i = 0; i < parts->size() && i < kMostParts; ++i) {
    Append(device, ReadNumber(files, folder + "/slaves/" + (*parts)[i] + "/dev"), out);
  }
}

}  // namespace

void AppendBlockLayers(FileTree& files, const std::vector<DeviceNumber>& devices, Capture& out) {
  for (const DeviceNumber device : devices) AppendLayersOf(files, device, out);
}

}  // namespace gpuwhy
