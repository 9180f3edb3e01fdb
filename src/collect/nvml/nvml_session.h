// The library from its start to its end, on the thread that may hang.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collect/call_thread.h"
#include "collect/nvml/device_reader.h"
#include "collect/nvml/gpm.h"
#include "os/clock.h"
#include "os/dynamic_library.h"

namespace gpuwhy::nvml {

/// Used by one thread; only the box is shared.
class Session {
 public:
  Session(Clock& clock, std::shared_ptr<LibraryLoader> loader, std::string library)
      : clock_(clock), loader_(std::move(loader)), name_(std::move(library)) {}

  /// Opens and starts the library and finds its devices. What failed is in the box.
  void Start(CallWatch& watch);
  /// Reads all devices.
  void Look(CallWatch& watch, bool settled);
  void End(CallWatch& watch);

  [[nodiscard]] HarvestBox& Box() { return box_; }

 private:
  struct Found {
    std::int32_t index = 0;
    Device device = nullptr;
    bool lost = false;
    GpmBuffers gpm;
  };

  void FindDevices(DeviceReader& reader);

  Clock& clock_;
  std::shared_ptr<LibraryLoader> loader_;
  std::string name_;
  std::shared_ptr<DynamicLibrary> library_;
  std::vector<Found> devices_;
  bool started_ = false;
  HarvestBox box_;
};

}  // namespace gpuwhy::nvml
