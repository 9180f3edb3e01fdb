#include "parse/paste/lspci.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "parse/paste/quantity.h"

namespace gpuwhy {
namespace {

/// "81:00.0 3D controller: NVIDIA ...", also behind a word or a comment sign.
bool IsDevice(std::string_view line) {
  const std::string_view id = BusIdIn(line.substr(0, 200));
  if (id.empty()) return false;
  const auto at = static_cast<std::size_t>(id.data() - line.data());
  if (Holds(line.substr(0, at), "lspci ")) return true;
  constexpr std::string_view kClasses[] = {"controller",  "ontroller",  "bridge", "Bridge",
                                           "accelerator", "peripheral", "Device", "port"};
  if (at > 0 &&
      line.substr(0, at).find_first_not_of(" #-:ACardGPU0123456789*\t") != std::string_view::npos) {
    return false;
  }
  const std::string_view rest = line.substr(at + id.size(), 60);
  return std::any_of(std::begin(kClasses), std::end(kClasses),
                     [&](std::string_view name) { return Holds(rest, name); });
}

std::string_view After(std::string_view line, std::string_view label) {
  const std::size_t at = line.find(label);
  return at == std::string_view::npos ? std::string_view{} : line.substr(at + label.size());
}

/// What stands for lines left out: "...", and grep's "--".
bool IsElision(std::string_view line) {
  constexpr std::string_view kEllipsis = "\xe2\x80\xa6";
  line = Trim(line);
  if (line.empty() || line.size() > 12) return false;
  if (line == kEllipsis) return true;
  return line.find_first_not_of(".-[]()") == std::string_view::npos;
}

bool IsLinkLine(std::string_view line) {
  return Holds(line, "LnkCap:") || Holds(line, "LnkSta:") || Holds(line, "ACSCtl:");
}

/// The number in front of what follows a word: "Speed 16GT/s", "Width x8".
Reading<double> NumberAfter(std::string_view text, std::string_view label) {
  std::string_view rest = After(text, label);
  const std::size_t end = std::min(rest.find_first_not_of("0123456789."), rest.size());
  const std::optional<double> number = ParseDouble(rest.substr(0, end));
  if (!number) return {Why::kNotPresent, std::string(label)};
  return *number;
}

class LspciReader {
 public:
  LspciReader(const Section& section, Pasted& into) : section_(section), into_(into) {}

  void Line(std::size_t at) {
    const std::string_view line = section_[at];
    if (IsDevice(line)) return Start(at, line);
    if (Holds(line, "secondary=") && device_ != nullptr) return Buses(line);
    if (!IsLinkLine(line) && !Holds(line, "Kernel driver in use:")) return;
    if (device_ == nullptr) Start(at, {});
    PciDevice& device = *device_;
    if (Holds(line, "LnkCap:")) {
      device.speed_able = NumberAfter(line, "Speed ");
      device.width_able = NumberAfter(line, "Width x");
      device.cap_line = section_.Number(at);
      device.root_port = device.root_port || Holds(line, "Root Port");
    } else if (Holds(line, "LnkSta:")) {
      device.speed_now = NumberAfter(line, "Speed ");
      device.width_now = NumberAfter(line, "Width x");
      device.status_line = section_.Number(at);
      const std::string_view width = After(line, "Width ");
      device.downgraded = Holds(width, "downgraded");
    } else if (Holds(line, "ACSCtl:")) {
      device.acs_redirect = Holds(line, "ReqRedir+") || Holds(line, "CmpltRedir+");
      device.acs_text = Holds(line, "ReqRedir+") ? "ReqRedir+" : "CmpltRedir+";
      device.acs_line = section_.Number(at);
    } else {
      device.driver = std::string(Trim(After(line, "in use:")));
    }
  }

 private:
  /// "Bus: primary=00, secondary=17, subordinate=1b": bus numbers are hexadecimal.
  void Buses(std::string_view line) {
    const auto bus = [&](std::string_view label) {
      return ParseNumber<std::int32_t>(After(line, label).substr(0, 2), 16).value_or(-1);
    };
    device_->bus_first = bus("secondary=");
    device_->bus_last = bus("subordinate=");
  }

  void Start(std::size_t at, std::string_view line) {
    PciDevice& device = into_.pci.emplace_back();
    device_ = &device;
    device.place = {section_.Name(), section_.Number(at)};
    const std::string_view id = BusIdIn(line);
    if (!id.empty()) {
      const auto begin = static_cast<std::size_t>(id.data() - line.data());
      device.address = CanonicalBusId(id);
      device.description = std::string(Trim(line.substr(begin + id.size(), 160)));
    }
    const std::string& text = device.description;
    device.nvidia = Holds(text, "NVIDIA") || Holds(text, "[10de:");
    device.bridge = Holds(text, "ridge");
    device.gpu = !device.bridge &&
                 (Holds(text, "3D controller") || Holds(text, "VGA compatible") ||
                  Holds(text, "GPU function")) &&
                 (device.nvidia || Holds(text, "GPU function"));
    device.root_port = Holds(text, "Root Port") || Holds(text, "root port");
  }

  const Section& section_;
  Pasted& into_;
  PciDevice* device_ = nullptr;
};

}  // namespace

std::optional<Match> RecogniseLspci(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && !IsLinkLine(section[first]) && !IsDevice(section[first])) {
    ++first;
  }
  if (first == section.size()) return std::nullopt;
  std::size_t end = first + 1;
  const std::size_t prompt = section.NextPrompt(first + 1);
  for (std::size_t i = first + 1; i < prompt; ++i) {
    const std::string_view line = section[i];
    if (line.empty()) continue;
    const bool ours = line.front() == '\t' || line.front() == ' ' || line.front() == '=' ||
                      IsLinkLine(line) || IsDevice(line) || IsElision(line);
    if (!ours) break;
    end = i + 1;
  }
  return Match{first, end, 70};
}

void ReadLspci(const Section& section, const Match& match, Pasted& into,
               std::vector<Problem>& /*problems*/) {
  LspciReader reader(section, into);
  for (std::size_t i = match.first; i < match.end; ++i) reader.Line(i);
}

}  // namespace gpuwhy
