#include "parse/live/processors.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/text.h"
#include "parse/procfs/cpu_list.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kKernelWords[] = {
    "amd_iommu=",         "intel_iommu=", "iommu=",     "iommu.passthrough=",
    "iommu.strict=",      "isolcpus=",    "nohz_full=", "pci=",
    "pcie_acs_override=", "pcie_aspm=",   "pcie_aspm.", "transparent_hugepage="};

std::string_view ValueOf(std::string_view line) {
  NextToken(line, ':');
  return Trim(line);
}

void TakeModel(std::string_view text, Processors& processors) {
  while (!text.empty()) {
    const std::string_view line = NextLine(text);
    if (line.starts_with("model name")) processors.model = std::string(ValueOf(line));
    if (line == "hypervisor") processors.hypervisor = "hypervisor";
  }
}

void TakeCores(std::string_view text, const std::string& path, Processors& processors) {
  std::set<std::string_view> packages;
  double cores = 0;
  while (!text.empty()) {
    const std::vector<std::string_view> words = Fields(NextLine(text));
    if (words.size() != 2) continue;
    packages.insert(words[0]);
    ++cores;
  }
  if (cores == 0) {
    processors.cores = processors.sockets = Missing{Why::kFailed, path};
    return;
  }
  processors.cores = cores;
  processors.sockets = static_cast<double>(packages.size());
}

void TakeClocks(std::string_view text, const std::string& path, Processors& processors) {
  while (!text.empty()) {
    const std::vector<std::string_view> words = Fields(NextLine(text));
    if (words.size() != 4) continue;
    const std::optional<double> most = ParseDouble(words[2]);
    const std::optional<double> able = ParseDouble(words[3]);
    if (!most || !able || *most <= 0 || *able <= 0) continue;
    const double limit = std::min(1.0, *most / *able);
    if (processors.clock_limit && *processors.clock_limit <= limit) continue;
    processors.clock_limit = limit;
    // "/sys/.../cpufreq/policy*" names the policy that is lowest.
    processors.limited_by =
        path.substr(0, path.rfind('/') + 1) + std::string(words[0]) + "/scaling_max_freq";
  }
  if (!processors.clock_limit) processors.clock_limit = Missing{Why::kFailed, path};
}

/// By the last of its words, as the kernel takes them; the mode without any depends on how the
/// kernel was built.
void TakeKernelWords(std::string_view text, Processors& processors) {
  std::string words;
  while (!text.empty()) {
    const std::string_view word = Trim(NextLine(text));
    if (!Holds(word, "iommu")) continue;
    if (!words.empty()) words += ' ';
    words += word;
  }
  processors.iommu = words;
}

struct Counted {
  MonoTime first_at, last_at;
  std::optional<double> first, last;
};

Reading<double> Rate(const Counted& counted, const std::string& path) {
  // Two looks of `check` are 50 ms apart: a count of one would be 20 a second.
  constexpr double kShortest = 1;
  if (!counted.first) return {Why::kNotPresent, path};
  if (*counted.last < *counted.first) return {Why::kWentBackwards, path};
  const double seconds = Seconds(counted.last_at - counted.first_at);
  if (seconds < kShortest) return {Why::kNotSampled, path};
  return (*counted.last - *counted.first) / seconds;
}

void TakeDriverGpu(std::string_view text, const std::string& path, Inventory& inventory) {
  DriverGpu gpu;
  gpu.path = path;
  while (!text.empty()) {
    const std::string_view line = NextLine(text);
    if (line.starts_with("Model:")) gpu.name = std::string(ValueOf(line));
    if (line.starts_with("GPU UUID:")) gpu.uuid = std::string(ValueOf(line));
    if (line.starts_with("Bus Location:")) gpu.address = CanonicalBusId(std::string(ValueOf(line)));
  }
  // A driver that has not started the device yet writes question marks.
  if (Holds(gpu.uuid, "?")) gpu.uuid.clear();
  if (!gpu.address.empty()) inventory.driver_gpus.push_back(std::move(gpu));
}

/// Two GPUs below one bridge copy to each other through it, unless the ports that they hang on send
/// requests up instead.
void TakeRedirects(const std::map<std::string, std::string>& controls, Inventory& inventory) {
  std::map<std::string, std::set<std::string>> below;  // GPUs by bridge
  for (const PciFunction& gpu : inventory.functions) {
    if (!gpu.gpu) continue;
    for (std::size_t i = 1; i < gpu.way.size(); ++i) below[gpu.way[i].address].insert(gpu.address);
  }
  std::set<std::string> seen;
  for (const PciFunction& gpu : inventory.functions) {
    const bool meets = gpu.gpu && std::any_of(gpu.way.begin(), gpu.way.end(), [&](const PciHop& h) {
                         const auto found = below.find(h.address);
                         return found != below.end() && found->second.size() > 1;
                       });
    if (!meets) continue;
    for (const PciHop& hop : gpu.way) {
      const auto control = controls.find(hop.address);
      if (control == controls.end() || !Holds(control->second, "ReqRedir+")) continue;
      if (seen.insert(hop.address).second)
        inventory.redirects.push_back({hop.address, control->second});
    }
  }
}

/// Puts each text where it belongs.
class Reader {
 public:
  explicit Reader(Inventory& inventory) : inventory_(inventory) {}

  void Take(const std::string& path, std::string_view text, MonoTime at) {
    constexpr std::string_view kPci = "/sys/bus/pci/devices/";
    constexpr std::string_view kConfig = "/config";
    if (path.starts_with(kPci)) {
      if (path.ends_with(kConfig) && path.size() > kPci.size() + kConfig.size()) {
        const std::size_t length = path.size() - kPci.size() - kConfig.size();
        controls_[path.substr(kPci.size(), length)] = std::string(Trim(text));
      }
    } else if (path.starts_with("/proc/")) {
      TakeProc(path, text);
    } else if (path.starts_with("/sys/devices/system/")) {
      TakeSystem(path, text, at);
    }
  }
  void End() {
    inventory_.processors.throttles = Rate(throttles_, throttle_path_);
    TakeRedirects(controls_, inventory_);
  }

 private:
  void TakeProc(const std::string& path, std::string_view text) {
    if (path == "/proc/cpuinfo") TakeModel(text, inventory_.processors);
    if (path == "/proc/cmdline") TakeKernelWords(text, inventory_.processors);
    if (path.starts_with("/proc/driver/nvidia/gpus/")) TakeDriverGpu(text, path, inventory_);
  }
  void TakeSystem(const std::string& path, std::string_view text, MonoTime at) {
    Processors& processors = inventory_.processors;
    if (path.ends_with("/cpu*/topology")) TakeCores(text, path, processors);
    if (path.ends_with("/cpufreq/policy*")) TakeClocks(text, path, processors);
    if (path.ends_with("/node/online")) {
      const Result<std::vector<CpuRange>> nodes = ParseCpuList(Trim(text));
      if (nodes && !nodes->empty()) processors.nodes = static_cast<double>(CountCpus(*nodes));
    }
    if (path.ends_with("/cpu*/thermal_throttle")) TakeThrottles(path, text, at);
  }
  void TakeThrottles(const std::string& path, std::string_view text, MonoTime at) {
    throttle_path_ = path;
    const std::optional<double> count = ParseDouble(Trim(text));
    if (!count) return;
    if (!throttles_.first) {
      throttles_.first = count;
      throttles_.first_at = at;
    }
    throttles_.last = count;
    throttles_.last_at = at;
  }

  Inventory& inventory_;
  Counted throttles_;
  std::string throttle_path_;
  std::map<std::string, std::string> controls_;
};

}  // namespace

std::string KnownCpuLines(std::string_view cpuinfo) {
  std::string lines;
  while (!cpuinfo.empty()) {
    std::string_view line = NextLine(cpuinfo);
    if (Trim(line).empty()) break;  // the next CPU
    if (line.starts_with("model name")) lines += std::string(line) + "\n";
    if (!line.starts_with("flags")) continue;
    const std::vector<std::string_view> flags = Fields(ValueOf(line));
    if (std::find(flags.begin(), flags.end(), "hypervisor") != flags.end()) lines += "hypervisor\n";
  }
  return lines;
}

std::string KnownKernelWords(std::string_view command_line) {
  std::string words;
  for (const std::string_view word : Fields(command_line)) {
    const bool known = std::any_of(std::begin(kKernelWords), std::end(kKernelWords),
                                   [&](std::string_view start) { return word.starts_with(start); });
    if (known) words += std::string(word) + "\n";
  }
  return words;
}

void ReadProcessors(const Capture& capture, Inventory& inventory) {
  Reader reader(inventory);
  for (const FileText& text : capture.file_texts) {
    if (text.read) reader.Take(capture.Name(text.path), capture.Name(text.text), text.at);
  }
  reader.End();
}

}  // namespace gpuwhy
