// From a mount down to the block devices that its reads go through.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/reading.h"
#include "capture/capture.h"

namespace gpuwhy {

/// Every device from the mounted one down to the disks.
struct DevicesUnder {
  std::vector<DeviceNumber> devices;  ///< rising, each once
  /// Missing: there may be others, and why they are not known. True where devices is all of them;
  /// it is empty then for memory and for the network, which have none.
  Reading<bool> all = true;
};

class MountDevices {
 public:
  /// Refers to the capture, which must outlive it.
  explicit MountDevices(const Capture& capture);

  [[nodiscard]] DevicesUnder Under(const Mount& mount) const;
  /// "sda"; "8:0" where no counters of it were read.
  [[nodiscard]] std::string NameOf(DeviceNumber device) const;

 private:
  void AddBelow(DeviceNumber device, DevicesUnder& under) const;
  [[nodiscard]] DevicesUnder UnderNamed(const Mount& mount) const;

  const Capture& capture_;
  std::map<DeviceNumber, NameId> names_;
  std::map<std::string_view, DeviceNumber> by_name_;
  std::multimap<DeviceNumber, const BlockLayer*> layers_;
};

}  // namespace gpuwhy
