#include "derive/mount_devices.h"

#include <algorithm>
#include <array>

#include "base/i18n.h"

namespace gpuwhy {
namespace {

constexpr std::uint32_t kAnonymous = 0;  // the major number of file systems without one device
constexpr std::uint32_t kLoop = 7;       // its blocks are in a file of some other mount

/// Their bytes come from memory or from another host: no request of theirs passes a block device
/// here.
bool HasNoDevice(std::string_view type) {
  constexpr std::array<std::string_view, 15> kTypes = {
      "nfs",       "nfs4", "cifs",  "smb3",  "ceph",      "lustre",   "beegfs", "gpfs",
      "glusterfs", "9p",   "tmpfs", "ramfs", "hugetlbfs", "virtiofs", "afs"};
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

}  // namespace

MountDevices::MountDevices(const Capture& capture) : capture_(capture) {
  for (const BlockSample& sample : capture.block) {
    if (!names_.try_emplace(sample.device, sample.name).second) continue;
    by_name_.try_emplace(capture.Name(sample.name), sample.device);
  }
  for (const BlockLayer& layer : capture.block_layers) layers_.emplace(layer.device, &layer);
}

std::string MountDevices::NameOf(DeviceNumber device) const {
  const auto name = names_.find(device);
  if (name != names_.end() && !capture_.Name(name->second).empty()) {
    return capture_.Name(name->second);
  }
  return std::to_string(device.major) + ":" + std::to_string(device.minor);
}

DevicesUnder MountDevices::Under(const Mount& mount) const {
  if (mount.device.major == kAnonymous) return UnderNamed(mount);
  DevicesUnder under;
  AddBelow(mount.device, under);
  return under;
}

/// A file system without a device of its own: of btrfs and its like the source names one of the
/// devices, never all; of overlay and FUSE nothing does.
DevicesUnder MountDevices::UnderNamed(const Mount& mount) const {
  DevicesUnder under;
  const std::string& type = capture_.Name(mount.fs_type);
  if (HasNoDevice(type)) return under;
  constexpr std::string_view kDev = "/dev/";
  const std::string_view source = capture_.Name(mount.source);
  if (source.starts_with(kDev)) {
    const auto device = by_name_.find(source.substr(kDev.size()));
    if (device != by_name_.end()) AddBelow(device->second, under);
  }
  under.all = Missing{
      Why::kNotSupported,
      Format(_("{} ({}) has no block device of its own: mountinfo shows {}:{}"),
             capture_.Name(mount.mount_point), type, mount.device.major, mount.device.minor)};
  return under;
}

void MountDevices::AddBelow(DeviceNumber device, DevicesUnder& under) const {
  const auto place = std::lower_bound(under.devices.begin(), under.devices.end(), device);
  // Seen before: a device over two others that lie on one disk, or a circle that only damage makes.
  if (place != under.devices.end() && *place == device) return;
  under.devices.insert(place, device);
  if (device.major == kLoop && under.all) {
    under.all = Missing{
        Why::kNotSupported,
        Format(_("{} is a loop device: which disk holds its file is not known"), NameOf(device))};
  }
  const auto [first, last] = layers_.equal_range(device);
  for (auto layer = first; layer != last; ++layer) {
    if (layer->second->known) {
      AddBelow(layer->second->below, under);
    } else if (under.all) {
      under.all = layer->second->known.missing();
    }
  }
}

}  // namespace gpuwhy
