#include "collect/nvml_source.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/i18n.h"
#include "collect/call_thread.h"
#include "collect/nvml/nvml_session.h"

namespace gpuwhy {
namespace {

// Present without a -dev package, unlike the name without a number.
constexpr const char* kVendorsName = "libnvidia-ml.so.1";
constexpr Nanos kPeriod = std::chrono::milliseconds(500);
// Limits, modes and error counters: a hundred calls a device.
constexpr Nanos kSettledPeriod = std::chrono::seconds(10);
constexpr Nanos kEndDeadline = std::chrono::seconds(1);

/// Something that only a loaded driver, or WSL's stand-in for one, puts there.
bool IsDriverLoaded(FileTree& files) {
  for (const char* path : {"/proc/driver/nvidia/version", "/sys/module/nvidia/version"}) {
    if (files.Read(path, FileTree::kDefaultLimit)) return true;
  }
  // Devices are not read, only looked for.
  const Result<std::vector<std::string>> nodes = files.List("/dev");
  return nodes && std::any_of(nodes->begin(), nodes->end(), [](const std::string& name) {
           return name == "nvidiactl" || name == "dxg";
         });
}

class NvmlSource final : public Source {
 public:
  NvmlSource(Host host, Interner& names, NvmlOptions options)
      : host_(host), names_(names), options_(std::move(options)), thread_(host.clock) {
    const std::string library = options_.library.empty() ? kVendorsName : options_.library;
    session_ = std::make_shared<nvml::Session>(host_.clock, options_.loader, library);
  }
  ~NvmlSource() override {
    if (!started_) return;
    static_cast<void>(
        thread_.Run([session = session_](CallWatch& watch) { session->End(watch); }, kEndDeadline));
  }
  NvmlSource(const NvmlSource&) = delete;
  NvmlSource& operator=(const NvmlSource&) = delete;

  [[nodiscard]] std::string_view Name() const override { return "nvml"; }
  [[nodiscard]] Nanos Period() const override { return kPeriod; }
  [[nodiscard]] double Jitter() const override { return 0.2; }
  // The first look starts the library. What hangs is given up by the call, far earlier.
  [[nodiscard]] Nanos Deadline() const override {
    return options_.start_deadline + 2 * options_.call_deadline;
  }

  [[nodiscard]] std::vector<Missing> Look(Capture& out) override {
    if (!started_ && options_.library.empty() && !IsDriverLoaded(host_.files)) {
      return {{Why::kNotPresent, _("no NVIDIA driver is loaded")}};
    }
    if (!started_) {
      started_ = true;
      Run([](nvml::Session& session, CallWatch& watch) { session.Start(watch); },
          options_.start_deadline);
      NoteHungStart(out);
    }
    const bool settled = host_.clock.Now() >= settled_due_;
    if (settled) settled_due_ = host_.clock.Now() + kSettledPeriod;
    Run([settled](nvml::Session& session, CallWatch& watch) { session.Look(watch, settled); },
        options_.call_deadline);
    return Deliver(out);
  }

 private:
  /// It took at least as long as it was given.
  void NoteHungStart(Capture& out) {
    constexpr const char* kStart = "nvmlInit_v2";
    if (thread_.StuckIn() != kStart) return;
    const std::int64_t took =
        std::chrono::duration_cast<std::chrono::milliseconds>(options_.start_deadline).count();
    out.device_values.push_back({host_.clock.Now(), -1, GpuField::kDriverStart,
                                 DeviceValueKind::kNumber, took, kNoName, Named(kStart)});
  }
  template <class Work>
  void Run(Work work, Nanos deadline) {
    if (!thread_.StuckIn().empty()) return;
    if (thread_.Run([session = session_, work](CallWatch& watch) { work(*session, watch); },
                    deadline)) {
      return;
    }
    stuck_ = Missing{Why::kTimedOut, Format(_("{} did not return within {:.3g} s"),
                                            thread_.StuckIn(), Seconds(deadline))};
  }

  std::vector<Missing> Deliver(Capture& out) {
    nvml::Harvest seen = session_->Box().Take();
    for (const nvml::DeviceIdentity& one : seen.devices) {
      out.devices.push_back({one.at, one.index, Named(one.uuid), Named(one.bus_id)});
    }
    for (nvml::DeviceReading& one : seen.values) {
      out.device_values.push_back({one.at, one.index, one.field, one.kind, std::move(one.value),
                                   Named(one.text), Named(one.call)});
    }
    for (const nvml::ProcessReading& one : seen.processes) {
      out.device_processes.push_back(
          {one.at, one.index, one.pid, one.graphics, one.memory_kib, one.sm_percent});
    }
    for (const nvml::MessageReading& one : seen.messages) {
      out.device_messages.push_back({one.at, one.index, Named(one.kind), Named(one.text)});
    }
    std::vector<Missing> missing = std::move(seen.missing);
    if (stuck_.why == Why::kTimedOut) missing.push_back(stuck_);
    return missing;
  }
  NameId Named(const std::string& text) { return text.empty() ? kNoName : names_.Intern(text); }

  Host host_;
  Interner& names_;
  NvmlOptions options_;
  std::shared_ptr<nvml::Session> session_;
  CallThread thread_;
  bool started_ = false;
  MonoTime settled_due_;
  Missing stuck_;
};

}  // namespace

std::unique_ptr<Source> MakeNvmlSource(Host host, Interner& names, NvmlOptions options) {
  return std::make_unique<NvmlSource>(host, names, std::move(options));
}

}  // namespace gpuwhy
