#include "collect/nvml/nvml_session.h"

#include <fmt/format.h>

#include "collect/nvml/device_rows.h"
#include "collect/nvml/nvml_status.h"

namespace gpuwhy::nvml {
namespace {

// Far beyond any machine: a count above it was not counted.
constexpr unsigned kMostDevices = 256;
constexpr std::uint64_t kMostMilliseconds = 86'400'000;

void NoteRefusal(DeviceReader& reader, const char* call, Status status) {
  const std::string text = fmt::format("{}: {}", call, StatusText(status));
  const std::string_view kind = MessageKind(status);
  if (!kind.empty()) reader.AddMessage(kind, text);
  reader.AddMissing(ToMissing(status, call));
}

}  // namespace

void Session::Start(CallWatch& watch) {
  const MonoTime begun = clock_.Now();
  watch.Begin("dlopen");
  Result<std::shared_ptr<DynamicLibrary>> opened = loader_->Open(name_);
  if (!opened) {
    box_.Add(Missing{Why::kNotPresent, opened.error().Text()});
    return;
  }
  library_ = *std::move(opened);
  DeviceReader reader(*library_, clock_, watch, box_);
  const Status status = reader.CallBare("nvmlInit_v2");
  if (status != Status::kSuccess) {
    NoteRefusal(reader, "nvmlInit_v2", status);
    return;
  }
  started_ = true;
  const Nanos took = clock_.Now() - begun;
  reader.AddNumber("nvmlInit_v2", {GpuField::kDriverStart, 1, kMostMilliseconds}, status,
                   static_cast<std::uint64_t>(
                       std::chrono::duration_cast<std::chrono::milliseconds>(took).count()));
  FindDevices(reader);
}

void Session::FindDevices(DeviceReader& reader) {
  unsigned count = 0;
  const Status counted = reader.CallBare("nvmlDeviceGetCount_v2", &count);
  if (counted != Status::kSuccess || count > kMostDevices) {
    NoteRefusal(reader, "nvmlDeviceGetCount_v2",
                counted == Status::kSuccess ? Status::kUnknown : counted);
    return;
  }
  if (count == 0) reader.AddMessage("smi.no-devices", "nvmlDeviceGetCount_v2: 0");
  const char* call = "nvmlDeviceGetHandleByIndex_v2";
  for (unsigned i = 0; i < count; ++i) {
    Device device = nullptr;
    const Status status = reader.CallBare(call, i, &device);
    const auto index = static_cast<std::int32_t>(i);
    reader.Select(index, device);
    if (status == Status::kSuccess) {
      devices_.push_back({index, device, false, {}});
      ReadIdentity(reader);
      devices_.back().lost = reader.IsLost();
      continue;
    }
    const std::string text = fmt::format("{}({}): {}", call, i, StatusText(status));
    // A container, or another user's device: not a fault.
    const bool denied = status == Status::kNoPermission || status == Status::kOperatingSystem;
    const std::string_view kind = MessageKind(status);
    if (!denied) reader.AddMessage(kind.empty() ? "smi.no-handle" : kind, text);
    reader.AddMissing(ToMissing(status, fmt::format("{}({})", call, i)));
  }
}

void Session::Look(CallWatch& watch, bool settled) {
  if (!started_) return;
  DeviceReader reader(*library_, clock_, watch, box_);
  for (Found& found : devices_) {
    if (found.lost) continue;
    reader.Select(found.index, found.device);
    ReadChanging(reader);
    if (settled) ReadSettled(reader);
    ReadGpm(reader, settled, found.gpm);
    found.lost = reader.IsLost();
  }
}

void Session::End(CallWatch& watch) {
  if (!started_) return;
  DeviceReader reader(*library_, clock_, watch, box_);
  for (Found& found : devices_) FreeGpm(reader, found.gpm);
  static_cast<void>(reader.CallBare("nvmlShutdown"));
  started_ = false;
}

}  // namespace gpuwhy::nvml
