// The GPUs as their management library tells them.
#pragma once

#include <memory>
#include <string>

#include "capture/interner.h"
#include "collect/source.h"
#include "os/dynamic_library.h"
#include "os/host.h"

namespace gpuwhy {

struct NvmlOptions {
  /// A path or name for the dynamic linker, opened whatever this host looks like. Empty: the
  /// vendor's name, and only where a driver is loaded, because opening it there would load one.
  std::string library;
  std::shared_ptr<LibraryLoader> loader;
  /// Starting the library brings up every GPU where nobody else uses one: seconds a board.
  Nanos start_deadline = std::chrono::seconds(10);
  Nanos call_deadline = std::chrono::seconds(1);
};

/// host and names must outlive the source, also when its worker or the library's thread was given
/// up.
[[nodiscard]] std::unique_ptr<Source> MakeNvmlSource(Host host, Interner& names,
                                                     NvmlOptions options);

}  // namespace gpuwhy
