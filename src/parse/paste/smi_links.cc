#include "parse/paste/smi_links.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "parse/paste/quantity.h"

namespace gpuwhy {
namespace {

/// "GPU 0: name (UUID: GPU-...)".
bool IsListed(std::string_view line) {
  const std::string_view text = Trim(line);
  return text.substr(0, 4) == "GPU " && Holds(text, "(UUID: GPU-") && Holds(text, ":");
}

std::string Between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + before.size());
  return std::string(Trim(text.substr(0, text.find(after))));
}

std::int32_t IndexOf(std::string_view text) {
  return ParseNumber<int>(Between(text, "GPU ", ":")).value_or(-1);
}

bool IsLinkLine(std::string_view line) {
  const std::string_view text = Trim(line);
  return text.substr(0, 5) == "Link " || Holds(text, "Nvlink") || Holds(text, "NvLink") ||
         Holds(text, "NVLink");
}

void ReadLink(std::string_view text, NvlinkGpu& gpu) {
  const std::size_t colon = text.find(':');
  if (text.substr(0, 5) != "Link " || colon == std::string_view::npos) return;
  const std::string_view value = Trim(text.substr(colon + 1));
  if (Holds(value, "inactive") || Holds(value, "inActive")) {
    ++gpu.inactive;
  } else if (Holds(value, "GB/s")) {
    ++gpu.active;
    const std::optional<double> speed = ParseDouble(Trim(value.substr(0, value.find("GB/s"))));
    if (speed) gpu.speeds.push_back(*speed);
  } else if (Holds(value, "Error")) {
    const std::size_t last = value.rfind(':');
    const std::optional<double> count =
        ParseDouble(Trim(value.substr(last == std::string_view::npos ? 0 : last + 1)));
    gpu.counted = gpu.counted || count.has_value();
    gpu.errors += count.value_or(0);
  }
}

/// A matrix's header: GPU0 first, then names of devices.
bool IsTopoHeader(std::string_view line) {
  const std::vector<std::string_view> words = Fields(line);
  if (words.empty() || words[0] != "GPU0" || (words.size() > 1 && words[1] == "X")) return false;
  return Holds(line, "Affinity") || (words.size() > 1 && words[1] == "GPU1");
}

bool IsTopoRow(std::string_view line) {
  const std::vector<std::string_view> words = Fields(line);
  if (words.size() < 2) return false;
  const std::string_view name = words[0];
  return name.substr(0, 3) == "GPU" || name.substr(0, 3) == "NIC" || name.substr(0, 4) == "mlx5";
}

}  // namespace

std::optional<Match> RecogniseNvlink(const Section& section, std::size_t from) {
  for (std::size_t i = from; i < section.size(); ++i) {
    if (!IsListed(section[i]) || i + 1 >= section.size() || !IsLinkLine(section[i + 1])) {
      if (!(IsListed(section[i]) && i + 1 < section.size() &&
            Holds(section[i + 1], "support Nvlink"))) {
        continue;
      }
    }
    // With -e an empty line stands between the links.
    std::size_t end = i + 1;
    for (std::size_t at = end; at < section.size(); ++at) {
      if (IsListed(section[at]) || IsLinkLine(section[at])) {
        end = at + 1;
      } else if (!Trim(section[at]).empty()) {
        break;
      }
    }
    return Match{i, end, 90};
  }
  return std::nullopt;
}

void ReadNvlink(const Section& section, const Match& match, Pasted& into,
                std::vector<Problem>& /*problems*/) {
  for (std::size_t i = match.first; i < match.end; ++i) {
    const std::string_view text = Trim(section[i]);
    if (IsListed(text)) {
      NvlinkGpu& gpu = into.nvlinks.emplace_back();
      gpu.place = {section.Name(), section.Number(i)};
      gpu.gpu = IndexOf(text);
      gpu.name = Between(text, ": ", "(UUID");
      gpu.uuid = Between(text, "(UUID: ", ")");
    } else if (!into.nvlinks.empty()) {
      ReadLink(text, into.nvlinks.back());
    }
  }
}

std::optional<Match> RecogniseDeviceList(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && !IsListed(section[first])) ++first;
  if (first == section.size()) return std::nullopt;
  std::size_t end = first + 1;
  const auto is_slice = [](std::string_view line) {
    return Trim(line).substr(0, 4) == "MIG " && Holds(line, "UUID: MIG-");
  };
  while (end < section.size() && (IsListed(section[end]) || is_slice(section[end]))) ++end;
  return Match{first, end, 60};
}

void ReadDeviceList(const Section& section, const Match& match, Pasted& into,
                    std::vector<Problem>& /*problems*/) {
  std::int32_t index = -1;
  for (std::size_t i = match.first; i < match.end; ++i) {
    const std::string_view text = Trim(section[i]);
    GpuLook& look = into.gpus.emplace_back();
    look.file = section.Name();
    look.reader = "nvidia-smi-L";
    look.line = section.Number(i);
    look.mig = !IsListed(text);
    if (!look.mig) index = IndexOf(text);
    look.index = index;
    look.uuid = Between(text, "UUID: ", ")");
    const std::string name = Between(text, ": ", "(UUID");
    if (!look.mig) look.values.push_back({GpuField::kName, PastedValue(name), look.line});
  }
}

std::optional<Match> RecogniseTopo(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && !IsTopoHeader(section[first])) ++first;
  if (first == section.size()) return std::nullopt;
  std::size_t end = first + 1;
  while (end < section.size() && IsTopoRow(section[end])) ++end;
  // The legend below belongs to it.
  std::size_t legend = end;
  while (legend < section.size() && legend < end + 30) {
    const std::string_view text = Trim(section[legend]);
    if (!text.empty() && text != "Legend:" && text != "NIC Legend:" && !Holds(text, "=") &&
        text.substr(0, 3) != "NIC") {
      break;
    }
    ++legend;
  }
  return Match{first, std::max(end, legend), 80};
}

void ReadTopo(const Section& section, const Match& match, Pasted& into,
              std::vector<Problem>& /*problems*/) {
  TopoMatrix matrix;
  matrix.place = {section.Name(), section.Number(match.first)};
  for (const std::string_view word : Fields(section[match.first])) {
    if (word == "CPU" || word == "NUMA" || word == "Affinity") break;
    matrix.columns.emplace_back(word);
  }
  for (std::size_t i = match.first + 1; i < match.end && IsTopoRow(section[i]); ++i) {
    const std::vector<std::string_view> words = Fields(section[i]);
    matrix.rows.emplace_back(words[0]);
    std::vector<std::string>& cells = matrix.cells.emplace_back();
    for (std::size_t c = 1; c < words.size(); ++c) cells.emplace_back(words[c]);
  }
  into.topos.push_back(std::move(matrix));
}

}  // namespace gpuwhy
