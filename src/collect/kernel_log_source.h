// What the kernel's log says of GPUs, links, memory and storage.
#pragma once

#include <memory>

#include "capture/interner.h"
#include "collect/source.h"
#include "os/kernel_log.h"

namespace gpuwhy {

/// names must outlive the source, also when its worker was given up.
[[nodiscard]] std::unique_ptr<Source> MakeKernelLogSource(std::unique_ptr<KernelLog> log,
                                                          Interner& names);

}  // namespace gpuwhy
