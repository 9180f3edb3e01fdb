// Texts that were read on a live host, and lines of its kernel's log, to what pasted outputs give
// too: one set of facts and rules for both.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "capture/capture.h"

namespace gpuwhy {

/// Fills capture.inventory and capture.pasted from file_texts and kernel_lines. Pure; to be called
/// once, on a live capture or on one from a recording. `pasted.any` stays false.
void ReadLiveTexts(Capture& capture);

/// Is a PCI function of that class and vendor ("0x030200", "0x10de") one that the inventory is
/// about: a GPU or bridge of NVIDIA, or a network adapter?
[[nodiscard]] bool IsLookedAt(std::string_view pci_class, std::string_view vendor);
/// The functions on the way from one to its root port, itself first, out of the text of its link
/// ("../../../devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0").
[[nodiscard]] std::vector<std::string> WayToRoot(std::string_view link);

}  // namespace gpuwhy
