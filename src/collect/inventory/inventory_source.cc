#include "collect/inventory_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "collect/inventory/processor_files.h"
#include "os/file_tree.h"
#include "parse/live/inventory.h"
#include "parse/procfs/pci_config.h"

namespace gpuwhy {
namespace {

// None of these files is longer; what is, is not the file that was meant.
constexpr std::size_t kMostBytes = std::size_t{256} << 10U;
// Functions of one kind that are looked at: machines have up to 16 GPUs and as many NICs; virtual
// functions of a NIC are alike.
constexpr std::size_t kMostFunctions = 64;

constexpr const char* kPlainFiles[] = {
    "/proc/modules",
    "/proc/driver/nvidia/version",
    "/sys/devices/system/clocksource/clocksource0/current_clocksource",
    "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
    "/sys/devices/system/cpu/cpu0/cpufreq/scaling_max_freq",
    "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
    "/sys/devices/system/node/online",
    "/sys/class/dmi/id/sys_vendor",
    "/sys/class/dmi/id/product_name",
    "/sys/hypervisor/type"};

constexpr const char* kLinkFiles[] = {"current_link_speed", "max_link_speed", "current_link_width",
                                      "max_link_width"};
constexpr const char* kFunctionFiles[] = {
    "vendor", "device", "numa_node", "aer_dev_correctable", "aer_dev_nonfatal", "aer_dev_fatal"};
constexpr const char* kPortFiles[] = {"state", "phys_state", "rate", "link_layer"};

class InventorySource final : public Source {
 public:
  InventorySource(Host host, Interner& names) : host_(host), names_(names) {}

  [[nodiscard]] std::string_view Name() const override { return "inventory"; }
  [[nodiscard]] Nanos Period() const override { return Nanos{0}; }
  // Files of a device that is gone may take the kernel's own time-outs.
  [[nodiscard]] Nanos Deadline() const override { return std::chrono::seconds(5); }

  [[nodiscard]] std::vector<Missing> Look(Capture& out) override {
    // The look at the end of the window: only error counters may have grown.
    if (!functions_.empty() || done_) {
      for (const std::string& folder : functions_) {
        for (const char* file : {"aer_dev_correctable", "aer_dev_nonfatal", "aer_dev_fatal"}) {
          Keep(folder + "/" + file, out);
        }
      }
      KeepThrottles(host_, names_, out);
      return {};
    }
    done_ = true;
    for (const char* path : kPlainFiles) Keep(path, out);
    std::vector<Missing> missing = KeepFunctions(out);
    KeepPorts(out);
    KeepInterfaces(out);
    KeepDriverGpus(out);
    KeepProcessors(host_, names_, out);
    KeepThrottles(host_, names_, out);
    return missing;
  }

 private:
  /// Its text, or why there is none: both are kept. What is not there at all is neither.
  void Keep(const std::string& path, Capture& out) {
    const Result<std::string> text = host_.files.Read(path, kMostBytes);
    if (text) return Add(path, *text, out);
    const Missing why = ToMissing(text.error());
    if (why.why == Why::kNotPresent) return;
    out.file_texts.push_back({host_.clock.Now(), names_.Intern(path), kNoName, why});
  }
  void Add(const std::string& path, const std::string& text, Capture& out) {
    out.file_texts.push_back({host_.clock.Now(), names_.Intern(path), names_.Intern(text), true});
  }

  std::vector<Missing> KeepFunctions(Capture& out) {
    const std::string folder = "/sys/bus/pci/devices";
    const Result<std::vector<std::string>> all = host_.files.List(folder);
    // A machine without the bus has no such folder.
    if (!all) {
      const Missing why = ToMissing(all.error());
      if (why.why == Why::kNotPresent) return {};
      return {why};
    }
    std::size_t kept = 0;
    for (const std::string& address : *all) {
      const std::string path = fmt::format("{}/{}", folder, address);
      const Result<std::string> kind = host_.files.Read(path + "/class", kMostBytes);
      if (!kind || !IsLookedAt(Trim(*kind), VendorOf(path)) || kept++ == kMostFunctions) continue;
      Add(path + "/class", *kind, out);
      KeepFunction(path, out);
    }
    return {};
  }

  std::string VendorOf(const std::string& path) {
    const Result<std::string> vendor = host_.files.Read(path + "/vendor", kMostBytes);
    return vendor ? std::string(Trim(*vendor)) : std::string();
  }

  void KeepFunction(const std::string& path, Capture& out) {
    functions_.push_back(path);
    for (const char* file : kFunctionFiles) Keep(path + "/" + file, out);
    if (const Result<std::string> driver = host_.files.ReadLink(path + "/driver")) {
      Add(path + "/driver", *driver, out);
    }
    // Where it hangs tells the bridges above it.
    const Result<std::string> place = host_.files.ReadLink(path);
    if (place) Add(path, *place, out);
    std::vector<std::string> way{path.substr(path.rfind('/') + 1)};
    if (place) way = WayToRoot(*place);
    for (const std::string& hop : way) {
      if (!hops_.insert(hop).second) continue;
      for (const char* file : kLinkFiles) Keep("/sys/bus/pci/devices/" + hop + "/" + file, out);
      KeepAccessControl("/sys/bus/pci/devices/" + hop + "/config", out);
    }
  }

  /// Only root reads as far as that register; who is not learns nothing, which is no fault.
  void KeepAccessControl(const std::string& path, Capture& out) {
    const Result<std::string> config = host_.files.Read(path, kMostBytes);
    if (!config) return;
    const Reading<AccessControl> control = ParseAccessControl(*config);
    if (control) Add(path, AsLspci(*control) + "\n", out);
  }

  void KeepDriverGpus(Capture& out) {
    const std::string folder = "/proc/driver/nvidia/gpus";
    const Result<std::vector<std::string>> gpus = host_.files.List(folder);
    if (!gpus) return;
    for (std::size_t i = 0; i < std::min(gpus->size(), kMostFunctions); ++i)
      Keep(folder + "/" + (*gpus)[i] + "/information", out);
  }

  void KeepPorts(Capture& out) {
    const std::string folder = "/sys/class/infiniband";
    const Result<std::vector<std::string>> devices = host_.files.List(folder);
    if (!devices) return;
    for (std::size_t i = 0; i < std::min(devices->size(), kMostFunctions); ++i) {
      const std::string device = fmt::format("{}/{}", folder, (*devices)[i]);
      Keep(device + "/device/numa_node", out);
      Keep(device + "/hca_type", out);
      const Result<std::vector<std::string>> ports = host_.files.List(device + "/ports");
      if (!ports) continue;
      for (const std::string& port : *ports) {
        for (const char* file : kPortFiles)
          Keep(fmt::format("{}/ports/{}/{}", device, port, file), out);
      }
    }
  }

  void KeepInterfaces(Capture& out) {
    const std::string folder = "/sys/class/net";
    const Result<std::vector<std::string>> all = host_.files.List(folder);
    if (!all) return;
    std::size_t kept = 0;
    for (const std::string& name : *all) {
      const std::string path = fmt::format("{}/{}", folder, name);
      // Bridges, tunnels and the loopback have no device.
      if (!host_.files.ReadLink(path + "/device") || kept++ == kMostFunctions) continue;
      Keep(path + "/operstate", out);
      Keep(path + "/speed", out);
      Keep(path + "/device/numa_node", out);
    }
  }

  Host host_;
  Interner& names_;
  bool done_ = false;
  std::vector<std::string> functions_;
  std::set<std::string> hops_;
};

}  // namespace

std::unique_ptr<Source> MakeInventorySource(Host host, Interner& names) {
  return std::make_unique<InventorySource>(host, names);
}

}  // namespace gpuwhy
