#include "parse/live/inventory.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "parse/live/processors.h"
#include "parse/live/surroundings.h"
#include "parse/paste/paste_reader.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kPciFolder = "/sys/bus/pci/devices/";
constexpr std::string_view kPortFolder = "/sys/class/infiniband/";
constexpr const char* kKernelLog = "/dev/kmsg";

/// Of one file: its text at the first and the last time it was read.
struct Kept {
  const std::string* first = nullptr;
  const std::string* last = nullptr;
  MonoTime first_at, last_at;
  Missing why;  ///< where it was never read
};
using Files = std::map<std::string, Kept>;

Files FilesOf(const Capture& capture) {
  Files files;
  for (const FileText& text : capture.file_texts) {
    Kept& kept = files[capture.Name(text.path)];
    if (!text.read) {
      kept.why = text.read.missing();
      continue;
    }
    kept.last = &capture.Name(text.text);
    kept.last_at = text.at;
    if (kept.first == nullptr) {
      kept.first = kept.last;
      kept.first_at = text.at;
    }
  }
  return files;
}

/// Empty where it was not read.
std::string_view TextOf(const Files& files, const std::string& path) {
  const auto found = files.find(path);
  if (found == files.end() || found->second.last == nullptr) return {};
  return Trim(*found->second.last);
}

Missing WhyNot(const Files& files, const std::string& path) {
  const auto found = files.find(path);
  if (found == files.end()) return {Why::kNotPresent, path};
  if (found->second.last == nullptr) return found->second.why;
  return {Why::kFailed, path};
}

/// The first word as a number above zero. sysfs writes 255, or "Unknown", for what the device does
/// not tell, and 0 for a link that is down.
Reading<double> Measure(const Files& files, const std::string& path, double most) {
  std::string_view text = TextOf(files, path);
  const std::optional<double> value = ParseDouble(NextToken(text, ' '));
  if (!value || *value <= 0 || *value > most) return WhyNot(files, path);
  return *value;
}

/// "-1": the firmware names none.
Reading<double> NodeIn(const Files& files, const std::string& path) {
  const std::optional<int> node = ParseNumber<int>(TextOf(files, path));
  if (!node || *node < 0) return WhyNot(files, path);
  return static_cast<double>(*node);
}

/// The line "TOTAL_ERR_COR 12" of an error counter file.
Reading<double> Total(const std::string* text, const std::string& path) {
  if (text == nullptr) return Missing{Why::kNotPresent, path};
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::vector<std::string_view> words = Fields(NextLine(rest));
    if (words.size() != 2 || !words[0].starts_with("TOTAL_ERR")) continue;
    const std::optional<double> count = ParseDouble(words[1]);
    if (count && *count >= 0) return *count;
  }
  return Missing{Why::kFailed, path};
}

Kept KeptOf(const Files& files, const std::string& path) {
  const auto found = files.find(path);
  return found == files.end() ? Kept{} : found->second;
}

Reading<double> RateOf(const Kept& kept, const std::string& path) {
  // Single errors are allowed: fewer seconds do not tell them from many.
  constexpr double kShortest = 5;
  const Reading<double> first = Total(kept.first, path);
  const Reading<double> last = Total(kept.last, path);
  if (!first) return first.missing();
  if (!last) return last.missing();
  if (*last < *first) return Missing{Why::kWentBackwards, path};
  const double seconds = Seconds(kept.last_at - kept.first_at);
  if (seconds < kShortest) return Missing{Why::kNotSampled, path};
  return (*last - *first) / seconds;
}

void ReadErrors(const Files& files, PciFunction& function) {
  const std::string corrected = function.path + "/aer_dev_correctable";
  const Kept kept = KeptOf(files, corrected);
  function.corrected = Total(kept.last, corrected);
  function.corrected_rate = RateOf(kept, corrected);
  const std::string nonfatal = function.path + "/aer_dev_nonfatal";
  const std::string fatal = function.path + "/aer_dev_fatal";
  const Reading<double> one = Total(KeptOf(files, nonfatal).last, nonfatal);
  const Reading<double> two = Total(KeptOf(files, fatal).last, fatal);
  if (!one) {
    function.uncorrected = one.missing();
  } else if (!two) {
    function.uncorrected = two.missing();
  } else {
    function.uncorrected = *one + *two;
  }
}

PciHop ReadHop(const Files& files, const std::string& address) {
  constexpr double kFastest = 200;  // GT/s: PCIe 7 has 128
  constexpr double kWidest = 32;
  const std::string folder = std::string(kPciFolder) + address;
  return {address, Measure(files, folder + "/current_link_speed", kFastest),
          Measure(files, folder + "/max_link_speed", kFastest),
          Measure(files, folder + "/current_link_width", kWidest),
          Measure(files, folder + "/max_link_width", kWidest)};
}

void ReadFunctions(const Files& files, Inventory& inventory) {
  for (const auto& [path, kept] : files) {
    if (!path.starts_with(kPciFolder) || !path.ends_with("/class") || kept.last == nullptr)
      continue;
    const std::size_t end = path.rfind('/');
    if (end <= kPciFolder.size()) continue;
    PciFunction& function = inventory.functions.emplace_back();
    function.path = path.substr(0, end);
    function.address = function.path.substr(kPciFolder.size());
    const std::string_view kind = Trim(*kept.last);
    function.nvidia = TextOf(files, function.path + "/vendor") == "0x10de";
    function.gpu = function.nvidia && kind.starts_with("0x03");
    function.network = kind.starts_with("0x02");
    const std::string_view driver = TextOf(files, function.path + "/driver");
    function.driver = driver.substr(driver.rfind('/') + 1);
    function.numa_node = NodeIn(files, function.path + "/numa_node");
    ReadErrors(files, function);
    std::vector<std::string> way = WayToRoot(TextOf(files, function.path));
    if (way.empty()) way.push_back(function.address);
    for (const std::string& hop : way) function.way.push_back(ReadHop(files, hop));
  }
}

void ReadModules(const Files& files, Pasted& pasted) {
  constexpr const char* kPath = "/proc/modules";
  std::string_view rest = TextOf(files, kPath);
  std::uint32_t number = 0;
  while (!rest.empty()) {
    ++number;
    const std::vector<std::string_view> words = Fields(NextLine(rest));
    if (words.size() < 3) continue;
    PastedMessage& module = pasted.modules.emplace_back();
    module.place = {kPath, number};
    module.kind = "module";
    module.subject = std::string(words[0]);
    if (const std::optional<double> users = ParseDouble(words[2])) module.number = *users;
  }
}

/// A GPU on the bus that no driver has. One that was given to a virtual machine has vfio-pci.
void NoteUnbound(const Inventory& inventory, Pasted& pasted) {
  for (const PciFunction& function : inventory.functions) {
    if (!function.gpu || !function.driver.empty()) continue;
    PastedMessage& message = pasted.messages.emplace_back();
    message.place = {function.path + "/driver", 0};
    message.kind = "smi.no-driver";
    message.text = function.address + ": no driver is bound to it";
    message.subject = function.address;
  }
}

/// "4: ACTIVE" as ibstat says it.
std::string PortState(std::string_view state) {
  const std::size_t colon = state.find(": ");
  const std::string_view word = colon == std::string_view::npos ? state : state.substr(colon + 2);
  if (word == "ACTIVE") return "Active";
  if (word == "INIT") return "Initializing";
  if (word == "DOWN") return "Down";
  return std::string(word);
}

void ReadPorts(const Files& files, Pasted& pasted) {
  LogText ports;
  ports.name = kPortFolder;
  for (const auto& [path, kept] : files) {
    if (!path.starts_with(kPortFolder) || !path.ends_with("/state") || kept.last == nullptr)
      continue;
    const std::string folder = path.substr(0, path.rfind('/'));
    if (folder.size() <= kPortFolder.size()) continue;
    const std::string name = folder.substr(kPortFolder.size());
    IbPort& port = ports.ports.emplace_back();
    port.device = name.substr(0, name.find('/'));
    port.state = PortState(Trim(*kept.last));
    port.physical = PortState(TextOf(files, folder + "/phys_state"));
    port.layer = std::string(TextOf(files, folder + "/link_layer"));
    port.type = std::string(TextOf(files, std::string(kPortFolder) + port.device + "/hca_type"));
    const std::string_view rate = TextOf(files, folder + "/rate");
    port.rate = Measure(files, folder + "/rate", 100'000).ValueOr(0);
    port.quote.text = name + ": " + port.state + ", " + port.physical + ", " + std::string(rate);
  }
  if (!ports.ports.empty()) pasted.logs.texts.push_back(std::move(ports));
}

/// Files whose whole content is the fact.
void ReadSettings(const Files& files, Inventory& inventory) {
  for (const auto& [path, kept] : files) {
    const bool plain = path.starts_with("/sys/devices/system/") ||
                       path.starts_with("/sys/class/dmi") || path.starts_with("/sys/hypervisor");
    if (plain && kept.last != nullptr)
      inventory.settings.push_back({path, std::string(Trim(*kept.last))});
  }
}

/// What the kernel said of devices holds for long: a link at boot is as narrow now. Of a killed or
/// hanging process only the last minutes tell anything of what runs now.
bool IsRecent(const KernelLine& line, const std::string& text, MonoTime now) {
  constexpr Nanos kOfDevices = std::chrono::hours(24);
  constexpr Nanos kOfProcesses = std::chrono::minutes(10);
  if (Holds(text, "available PCIe bandwidth")) return true;
  const bool device = Holds(text, "NVRM") || Holds(text, "nvidia") || Holds(text, "pcieport") ||
                      Holds(text, "AER:") || Holds(text, "PCIe Bus");
  return line.at + (device ? kOfDevices : kOfProcesses) >= now;
}

void ReadKernelLog(const Capture& capture, Pasted& pasted) {
  const MonoTime now = std::max(capture.run.started, capture.run.ended);
  std::string text;
  for (const KernelLine& line : capture.kernel_lines) {
    const std::string& said = capture.Name(line.text);
    if (IsRecent(line, said, now)) text += said + "\n";
  }
  if (!text.empty()) static_cast<void>(ReadPaste(kKernelLog, text, pasted));
}

}  // namespace

void ReadLiveTexts(Capture& capture) {
  const Files files = FilesOf(capture);
  ReadFunctions(files, capture.inventory);
  ReadSettings(files, capture.inventory);
  ReadProcessors(capture, capture.inventory);
  ReadSurroundings(capture, capture.inventory);
  ReadModules(files, capture.pasted);
  NoteUnbound(capture.inventory, capture.pasted);
  ReadPorts(files, capture.pasted);
  ReadKernelLog(capture, capture.pasted);
}

bool IsLookedAt(std::string_view pci_class, std::string_view vendor) {
  const bool network = pci_class.starts_with("0x0200") || pci_class.starts_with("0x0207");
  const bool nvidia =
      vendor == "0x10de" && (pci_class.starts_with("0x03") || pci_class.starts_with("0x0680"));
  return network || nvidia;
}

std::vector<std::string> WayToRoot(std::string_view link) {
  // A bus has at most 256 numbers, and no machine half as many bridges in a row.
  constexpr std::size_t kLongestWay = 32;
  std::vector<std::string> way;
  for (std::string_view part : SeparatedFields(link, '/', 256)) {
    // "0000:3b:00.0"; the root is "pci0000:3a", and what lies above it are dots.
    const bool function = part.size() >= 12 && part[part.size() - 2] == '.' &&
                          std::count(part.begin(), part.end(), ':') == 2;
    if (function) way.insert(way.begin(), std::string(part));
  }
  if (way.size() > kLongestWay) way.resize(kLongestWay);
  return way;
}

}  // namespace gpuwhy
