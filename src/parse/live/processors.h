// The processors of the host, and how its kernel was started, out of texts that were kept.
#pragma once

#include <string>
#include <string_view>

#include "capture/capture.h"

namespace gpuwhy {

/// Of /proc/cpuinfo the model's name, and whether it runs under a hypervisor ("hypervisor").
[[nodiscard]] std::string KnownCpuLines(std::string_view cpuinfo);
/// Of the kernel's command line the words on the IOMMU, PCI and the placement of tasks: others may
/// hold passwords. One a line.
[[nodiscard]] std::string KnownKernelWords(std::string_view command_line);

/// Fills inventory.processors, driver_gpus and redirects from capture.file_texts. Pure; after the
/// functions of inventory were read.
void ReadProcessors(const Capture& capture, Inventory& inventory);

}  // namespace gpuwhy
