#include "parse/paste/smi_table.h"

#include <algorithm>
#include <string>

#include "base/i18n.h"
#include "base/text.h"
#include "parse/paste/quantity.h"

namespace gpuwhy {
namespace {

constexpr const char* kReader = "nvidia-smi";

bool IsFrame(std::string_view line) {
  line = Trim(line);
  return !line.empty() && (line.front() == '|' || line.front() == '+');
}

/// A row that only this table has.
bool IsSign(std::string_view line) {
  if (!IsFrame(line)) return false;
  if (Holds(line, "NVIDIA-SMI ") || Holds(line, "Persistence-M")) return true;
  if (Holds(line, "GPU Memory |") || Holds(line, "MIG devices:")) return true;
  if (Holds(line, "MiB / ") && Holds(line, "%")) return true;
  return Holds(line, " | ") && !BusIdIn(line).empty();
}

std::vector<std::string_view> Cells(std::string_view line) {
  line = Trim(line);
  if (!line.empty() && line.front() == '|') line.remove_prefix(1);
  if (!line.empty() && line.back() == '|') line.remove_suffix(1);
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t bar = line.find('|');
    cells.push_back(Trim(line.substr(0, bar)));
    if (bar == std::string_view::npos) return cells;
    line.remove_prefix(bar + 1);
  }
}

/// "Driver Version: 515.65.01": the word after the label.
std::string_view WordAfter(std::string_view line, std::string_view label) {
  const std::size_t at = line.find(label);
  if (at == std::string_view::npos) return {};
  const std::vector<std::string_view> words = Fields(line.substr(at + label.size()));
  return words.empty() ? std::string_view{} : words.front();
}

class TableReader {
 public:
  TableReader(const Section& section, Pasted& into) : section_(section), into_(into) {}

  void Line(std::size_t at) {
    line_ = section_.Number(at);
    const std::string_view text = section_[at];
    if (Holds(text, "NVIDIA-SMI ")) return Title(text);
    if (Holds(text, "MIG devices:")) return Enter(Part::kMig);
    if (Holds(text, "Processes:") || Holds(text, "Compute processes:")) {
      typed_ = Holds(text, "Processes:");
      return Enter(Part::kList);
    }
    if (part_ != Part::kList && Holds(text, " PID ") && Holds(text, " Type ")) Enter(Part::kList);
    if (!IsFrame(text) || Trim(text).front() == '+' || Holds(text, "==")) return;
    if (part_ == Part::kList) return ListLine(text);
    const std::vector<std::string_view> cells = Cells(text);
    if (part_ == Part::kMig) return MigLine(cells);
    DeviceLine(cells);
  }

 private:
  enum class Part : unsigned char { kDevices, kMig, kList };

  void Enter(Part part) {
    part_ = part;
    row_ = 0;
    if (part == Part::kList) {
      into_.process_tables.push_back({{section_.Name(), line_}, false, false});
    }
  }

  void Title(std::string_view text) {
    driver_ = WordAfter(text, "Driver Version:");
    if (driver_.empty()) driver_ = WordAfter(text, "KMD Version:");  // since driver 610
    cuda_ = WordAfter(text, "CUDA Version:");
    title_line_ = line_;
  }

  void DeviceLine(const std::vector<std::string_view>& cells) {
    if (cells.size() < 2) return;
    const std::vector<std::string_view> words = Fields(cells[0]);
    const bool starts = !words.empty() && ParseNumber<int>(words[0]) && !BusIdIn(cells[1]).empty();
    if (starts) return FirstRow(cells, words);
    if (row_ == 1) return SecondRow(cells);
    if (row_ == 2 && cells.size() > 2) {
      AddValue(into_.gpus.back(), GpuField::kMigMode, cells[2], Dimension::kFlag, line_, "MIG");
      row_ = 3;
    }
  }

  void FirstRow(const std::vector<std::string_view>& cells,
                const std::vector<std::string_view>& words) {
    GpuLook& look = into_.gpus.emplace_back();
    look.file = section_.Name();
    look.reader = kReader;
    look.line = line_;
    look.index = ParseNumber<int>(words[0]).value_or(-1);
    look.bus_id = std::string(BusIdIn(cells[1]));
    if (!driver_.empty()) {
      AddValue(look, GpuField::kDriver, driver_, Dimension::kText, title_line_, _("driver"));
      AddValue(look, GpuField::kCuda, cuda_, Dimension::kText, title_line_, "CUDA");
    }
    // On Windows the column tells the driver model (WDDM, TCC), which is no persistence mode.
    if (words.back() == "On" || words.back() == "Off") {
      AddValue(look, GpuField::kPersistence, words.back(), Dimension::kFlag, line_,
               _("persistence"));
    }
    const std::size_t name = cells[0].find(words[0]) + words[0].size();
    const std::size_t end = cells[0].rfind(words.back());
    if (end > name) {
      const std::string_view text = Trim(cells[0].substr(name, end - name));
      AddValue(look, GpuField::kName, text, Dimension::kText, line_, _("name"));
    }
    const std::vector<std::string_view> display = Fields(cells[1]);
    if (display.size() > 1) {
      AddValue(look, GpuField::kDisplay, display.back(), Dimension::kFlag, line_, _("display"));
    }
    if (cells.size() > 2) Ecc(look, cells[2]);
    row_ = 1;
  }

  void Ecc(GpuLook& look, std::string_view cell) const {
    if (cell == "Off") {
      AddValue(look, GpuField::kEccMode, cell, Dimension::kFlag, line_, "ECC");
    } else {
      AddValue(look, GpuField::kEccVolatileUncorrected, cell, Dimension::kCount, line_, "ECC");
    }
  }

  void SecondRow(const std::vector<std::string_view>& cells) {
    GpuLook& look = into_.gpus.back();
    row_ = 2;
    const std::size_t slash = cells[0].find('/', cells[0].substr(0, 3) == "N/A" ? 3 : 0);
    std::vector<std::string_view> words = Fields(cells[0]);
    if (words.size() >= 3) {
      AddValue(look, GpuField::kFan, words[0], Dimension::kShare, line_, _("fan speed"));
      AddValue(look, GpuField::kTemperature, words[1], Dimension::kCelsius, line_,
               _("temperature"));
      AddValue(look, GpuField::kPstate, words[2], Dimension::kText, line_, _("performance state"));
    }
    if (words.size() >= 6 && slash != std::string_view::npos) {
      const std::string_view power = words[3] == "Unknown" ? "Unknown Error" : words[3];
      AddValue(look, GpuField::kPower, power, Dimension::kWatts, line_, _("power draw"));
      AddValue(look, GpuField::kPowerLimit, words.back(), Dimension::kWatts, line_,
               _("power limit"));
    }
    Memory(look, cells[1]);
    if (cells.size() < 3) return;
    const std::vector<std::string_view> use = Fields(cells[2]);
    if (!use.empty()) {
      AddValue(look, GpuField::kUtilization, use[0], Dimension::kShare, line_, _("utilization"));
    }
    if (use.size() > 1) {
      // "Default", "Prohibited", "E. Process".
      const std::string_view mode = Trim(cells[2].substr(cells[2].find(use[0]) + use[0].size()));
      AddValue(look, GpuField::kComputeMode, mode, Dimension::kText, line_, _("compute mode"));
    }
  }

  void Memory(GpuLook& look, std::string_view cell) const {
    const std::size_t slash = cell.find(" / ");
    if (slash == std::string_view::npos) return;
    AddValue(look, GpuField::kMemoryUsed, cell.substr(0, slash), Dimension::kBytes, line_,
             "memory used");
    AddValue(look, GpuField::kMemoryTotal, cell.substr(slash + 3), Dimension::kBytes, line_,
             "memory size");
  }

  /// "  0    7   0   0 | 19MiB / 40192MiB | 98 0 | ...": GPU, GPU and compute instance, device.
  void MigLine(const std::vector<std::string_view>& cells) {
    const std::vector<std::string_view> words = Fields(cells[0]);
    if (words.size() != 4 || cells.size() < 2 || !ParseNumber<int>(words[0])) return;
    GpuLook& look = into_.gpus.emplace_back();
    look.file = section_.Name();
    look.reader = kReader;
    look.line = line_;
    look.mig = true;
    look.index = ParseNumber<int>(words[0]).value_or(-1);
    look.uuid =
        "MIG " + std::string(words[0]) + "/" + std::string(words[1]) + "/" + std::string(words[2]);
    Memory(look, cells[1]);
  }

  void ListLine(std::string_view text) {
    if (Holds(text, "No running") || Holds(text, "Not Supported")) {
      into_.process_tables.back().none = Holds(text, "No running");
      return;
    }
    if (Holds(text, " GI ")) instances_ = true;
    std::string_view row = Trim(text);
    row.remove_prefix(1);
    if (!row.empty() && row.back() == '|') row.remove_suffix(1);
    std::vector<std::string_view> words = Fields(row);
    if (words.size() < 3 || !ParseNumber<int>(words[0])) return;
    GpuProcess process;
    process.place = {section_.Name(), line_};
    process.reader = kReader;
    process.gpu = ParseNumber<int>(words[0]).value_or(-1);
    std::size_t next = 1;
    if (instances_ && words.size() > 4) {
      process.mig_instance = ParseNumber<int>(words[1]).value_or(-1);
      next = 3;
    }
    const std::optional<int> pid = ParseNumber<int>(words[next]);
    // Up to driver 340 the list was of compute processes alone, without their type.
    const std::size_t name = next + (typed_ ? 2 : 1);
    if (!pid || name >= words.size()) return;
    process.pid = *pid;
    process.type = typed_ ? std::string(words[next + 1]) : "C";
    const Reading<PastedValue> memory = Measure(words.back(), Dimension::kBytes);
    if (memory && Holds(words.back(), "iB")) process.memory = std::get<double>(*memory);
    for (std::size_t i = name; i + (memory ? 1 : 0) < words.size(); ++i) {
      process.name += (process.name.empty() ? "" : " ") + std::string(words[i]);
    }
    into_.processes.push_back(std::move(process));
  }

  const Section& section_;
  Pasted& into_;
  Part part_ = Part::kDevices;
  int row_ = 0;  ///< rows of the current device that were read
  bool instances_ = false, typed_ = true;
  std::uint32_t line_ = 0, title_line_ = 0;
  std::string_view driver_, cuda_;
};

}  // namespace

std::optional<Match> RecogniseSmiTable(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && !IsSign(section[first])) ++first;
  if (first == section.size()) return std::nullopt;
  while (first > from && IsFrame(section[first - 1])) --first;
  std::size_t end = first + 1;
  bool titled = false;
  for (std::size_t i = first; i < section.size(); ++i) {
    const std::string_view text = Trim(section[i]);
    // A second title is the next table: watch -n and loops print them one after the other.
    const bool title = Holds(text, "NVIDIA-SMI ") && IsFrame(text);
    if (title && titled) break;
    titled = titled || title;
    if (IsFrame(text)) {
      end = i + 1;
    } else if (!text.empty()) {
      break;
    }
  }
  return Match{first, end, 90};
}

void ReadSmiTable(const Section& section, const Match& match, Pasted& into,
                  std::vector<Problem>& problems) {
  const std::size_t before = into.gpus.size() + into.process_tables.size();
  TableReader reader(section, into);
  for (std::size_t i = match.first; i < match.end; ++i) reader.Line(i);
  if (into.gpus.size() + into.process_tables.size() == before) {
    problems.push_back({section.Number(match.first), _("no row of a GPU could be read")});
  }
}

}  // namespace gpuwhy
