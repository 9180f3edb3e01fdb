#include "parse/paste/smi_monitor.h"

#include <algorithm>
#include <map>
#include <string>

#include "base/text.h"
#include "parse/paste/quantity.h"

namespace gpuwhy {
namespace {

using F = GpuField;
using D = Dimension;
constexpr Column kColumns[] = {
    {"pwr", F::kPower, D::kWatts},
    {"gtemp", F::kTemperature, D::kCelsius},
    {"temp", F::kTemperature, D::kCelsius},
    {"sm", F::kUtilization, D::kShare},
    {"mem", F::kMemoryUtilization, D::kShare},
    {"enc", F::kEncoder, D::kShare},
    {"dec", F::kDecoder, D::kShare},
    {"jpg", F::kJpeg, D::kShare},
    {"ofa", F::kOpticalFlow, D::kShare},
    {"mclk", F::kMemoryClock, D::kHertz},
    {"pclk", F::kSmClock, D::kHertz},
    {"fb", F::kMemoryUsed, D::kBytes},
    {"rxpci", F::kPcieRx, D::kByteRate},
    {"txpci", F::kPcieTx, D::kByteRate},
    // Whether heat held the clocks down in the interval; the hardware or the driver.
    {"tviol", F::kReasonSwThermal, D::kFlag},
};

/// Words between blanks, or between commas where the output was asked for as CSV.
std::vector<std::string_view> Words(std::string_view line) {
  if (line.find(',') == std::string_view::npos) return Fields(line);
  return SeparatedFields(line, ',', kMostColumns);
}

/// The names of the columns, where the line is a header: "# gpu ...", "#Date Time gpu ...".
std::vector<std::string_view> HeaderOf(std::string_view line) {
  std::string_view text = Trim(line);
  if (text.empty() || text.front() != '#') return {};
  text.remove_prefix(1);
  std::vector<std::string_view> names = Words(text);
  const bool gpu = std::find(names.begin(), names.end(), "gpu") != names.end();
  return gpu && names.size() > 3 ? names : std::vector<std::string_view>{};
}

struct Row {
  const Section& section;
  std::size_t at;
  const std::vector<std::string_view>& names;
  std::vector<std::string_view> cells;
};

void ReadProcessRow(const Row& row, Pasted& into) {
  GpuProcess process;
  process.place = {row.section.Name(), row.section.Number(row.at)};
  process.reader = "nvidia-smi-pmon";
  for (std::size_t i = 0; i < row.names.size() && i < row.cells.size(); ++i) {
    const std::string_view name = row.names[i];
    const std::string_view cell = row.cells[i];
    if (name == "gpu") process.gpu = ParseNumber<int>(cell).value_or(-1);
    if (name == "pid") process.pid = ParseNumber<int>(cell).value_or(0);
    if (name == "type") process.type = std::string(cell);
    if (name == "command") process.name = std::string(cell);
    const Reading<PastedValue> share = Measure(cell, D::kShare);
    if (!share) continue;
    if (name == "sm") process.sm = std::get<double>(*share);
    if (name == "enc") process.encoder = std::get<double>(*share);
    if (name == "dec") process.decoder = std::get<double>(*share);
  }
  if (process.pid > 0) into.processes.push_back(std::move(process));
}

void ReadDeviceRow(const Row& row, std::map<std::int32_t, std::uint32_t>& samples, Pasted& into) {
  GpuLook& look = into.gpus.emplace_back();
  look.file = row.section.Name();
  look.reader = "nvidia-smi-dmon";
  look.line = row.section.Number(row.at);
  for (std::size_t i = 0; i < row.names.size() && i < row.cells.size(); ++i) {
    if (row.names[i] == "gpu") look.index = ParseNumber<int>(row.cells[i]).value_or(-1);
    for (const Column& column : kColumns) {
      if (column.name != row.names[i]) continue;
      AddValue(look, column.field, row.cells[i], column.dimension, look.line, column.name);
    }
  }
  look.sample = samples[look.index]++;
}

bool IsRow(std::string_view line, std::size_t columns) {
  const std::vector<std::string_view> cells = Words(line);
  if (cells.size() + 2 < columns || cells.empty()) return false;
  return ParseNumber<long>(cells[0]).has_value() || cells[0] == "-";
}

}  // namespace

std::optional<Match> RecogniseSmiMonitor(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && HeaderOf(section[first]).empty()) ++first;
  if (first == section.size()) return std::nullopt;
  const std::size_t columns = HeaderOf(section[first]).size();
  std::size_t end = first + 1;
  for (std::size_t i = first + 1; i < section.size(); ++i) {
    const std::string_view text = Trim(section[i]);
    if (text.empty()) continue;
    const bool units = text.front() == '#' && HeaderOf(text).empty();
    const bool again = text.front() == '#' && HeaderOf(text).size() == columns;
    if (!units && !again && !IsRow(text, columns)) break;
    end = i + 1;
  }
  return Match{first, end, 88};
}

void ReadSmiMonitor(const Section& section, const Match& match, Pasted& into,
                    std::vector<Problem>& /*problems*/) {
  const std::vector<std::string_view> names = HeaderOf(section[match.first]);
  const bool processes = std::find(names.begin(), names.end(), "pid") != names.end();
  std::map<std::int32_t, std::uint32_t> samples;
  for (std::size_t i = match.first + 1; i < match.end; ++i) {
    if (!IsRow(section[i], names.size())) continue;
    const Row row{section, i, names, Words(section[i])};
    if (processes) {
      ReadProcessRow(row, into);
    } else {
      ReadDeviceRow(row, samples, into);
    }
  }
}

}  // namespace gpuwhy
