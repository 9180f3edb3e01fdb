// What block devices lie on: partitions on their disks, mapped and striped devices on their parts.
#pragma once

#include <vector>

#include "capture/capture.h"
#include "os/file_tree.h"

namespace gpuwhy {

/// Appends the layers of these devices to out, from /sys/dev/block. Layers of a device below that
/// is not among them are not looked for. A device that can't be looked up gets one that says so.
void AppendBlockLayers(FileTree& files, const std::vector<DeviceNumber>& devices, Capture& out);

}  // namespace gpuwhy
