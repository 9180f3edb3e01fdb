// What this node is made of: small files that are read once, as texts.
#pragma once

#include <memory>

#include "capture/interner.h"
#include "collect/source.h"
#include "os/host.h"

namespace gpuwhy {

/// PCI functions of NVIDIA and of the network with the way from each to the root, modules, the
/// driver's own files, ports, clocks. host and names must outlive the source.
[[nodiscard]] std::unique_ptr<Source> MakeInventorySource(Host host, Interner& names);

}  // namespace gpuwhy
