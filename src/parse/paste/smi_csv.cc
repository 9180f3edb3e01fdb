#include "parse/paste/smi_csv.h"

#include <algorithm>
#include <string>

#include "base/i18n.h"
#include "base/text.h"
#include "parse/paste/quantity.h"

namespace gpuwhy {
namespace {

constexpr const char* kReader = "nvidia-smi-csv";

using F = GpuField;
using D = Dimension;
constexpr Column kColumns[] = {
    {"name", F::kName, D::kText},
    {"gpu_name", F::kName, D::kText},
    {"driver_version", F::kDriver, D::kText},
    {"persistence_mode", F::kPersistence, D::kFlag},
    {"pstate", F::kPstate, D::kText},
    {"utilization.gpu", F::kUtilization, D::kShare},
    {"utilization.memory", F::kMemoryUtilization, D::kShare},
    {"utilization.encoder", F::kEncoder, D::kShare},
    {"utilization.decoder", F::kDecoder, D::kShare},
    {"memory.used", F::kMemoryUsed, D::kBytes},
    {"memory.total", F::kMemoryTotal, D::kBytes},
    {"temperature.gpu", F::kTemperature, D::kCelsius},
    {"fan.speed", F::kFan, D::kShare},
    {"power.draw", F::kPower, D::kWatts},
    {"power.draw.average", F::kPower, D::kWatts},
    {"power.draw.instant", F::kPower, D::kWatts},
    {"power.limit", F::kPowerLimit, D::kWatts},
    {"enforced.power.limit", F::kPowerLimit, D::kWatts},
    {"power.default_limit", F::kPowerLimitDefault, D::kWatts},
    {"power.min_limit", F::kPowerLimitMin, D::kWatts},
    {"power.max_limit", F::kPowerLimitMax, D::kWatts},
    {"clocks.sm", F::kSmClock, D::kHertz},
    {"clocks.current.sm", F::kSmClock, D::kHertz},
    {"clocks.gr", F::kSmClock, D::kHertz},
    {"clocks.current.graphics", F::kSmClock, D::kHertz},
    {"clocks.mem", F::kMemoryClock, D::kHertz},
    {"clocks.current.memory", F::kMemoryClock, D::kHertz},
    {"clocks.applications.graphics", F::kAppSmClock, D::kHertz},
    {"clocks.applications.gr", F::kAppSmClock, D::kHertz},
    {"clocks.default_applications.graphics", F::kDefaultSmClock, D::kHertz},
    {"clocks.max.sm", F::kMaxSmClock, D::kHertz},
    {"clocks.max.graphics", F::kMaxSmClock, D::kHertz},
    {"clocks.max.memory", F::kMaxMemoryClock, D::kHertz},
    {"pcie.link.gen.current", F::kLinkGen, D::kCount},
    {"pcie.link.gen.gpucurrent", F::kLinkGen, D::kCount},
    {"pcie.link.gen.max", F::kLinkGenMax, D::kCount},
    {"pcie.link.gen.gpumax", F::kLinkGenDeviceMax, D::kCount},
    {"pcie.link.gen.hostmax", F::kLinkGenHostMax, D::kCount},
    {"pcie.link.width.current", F::kLinkWidth, D::kCount},
    {"pcie.link.width.max", F::kLinkWidthMax, D::kCount},
    {"ecc.mode.current", F::kEccMode, D::kFlag},
    {"ecc.errors.corrected.volatile.total", F::kEccVolatileCorrected, D::kCount},
    {"ecc.errors.uncorrected.volatile.total", F::kEccVolatileUncorrected, D::kCount},
    {"ecc.errors.corrected.aggregate.total", F::kEccAggregateCorrected, D::kCount},
    {"ecc.errors.uncorrected.aggregate.total", F::kEccAggregateUncorrected, D::kCount},
    {"ecc.errors.uncorrected.volatile.dram", F::kEccVolatileUncorrected, D::kCount},
    {"ecc.errors.uncorrected.volatile.sram", F::kEccVolatileUncorrected, D::kCount},
    {"ecc.errors.uncorrected.volatile.device_memory", F::kEccVolatileUncorrected, D::kCount},
    {"ecc.errors.uncorrected.aggregate.dram", F::kEccAggregateUncorrected, D::kCount},
    {"ecc.errors.uncorrected.aggregate.sram", F::kEccAggregateUncorrected, D::kCount},
    {"ecc.errors.uncorrected.aggregate.device_memory", F::kEccAggregateUncorrected, D::kCount},
    {"retired_pages.pending", F::kRetiredPending, D::kFlag},
    {"retired_pages.single_bit_ecc.count", F::kRetiredSingle, D::kCount},
    {"retired_pages.double_bit.count", F::kRetiredDouble, D::kCount},
    {"remapped_rows.correctable", F::kRemapCorrectable, D::kCount},
    {"remapped_rows.uncorrectable", F::kRemapUncorrectable, D::kCount},
    {"remapped_rows.pending", F::kRemapPending, D::kFlag},
    {"remapped_rows.failure", F::kRemapFailed, D::kFlag},
    {"utilization.jpeg", F::kJpeg, D::kShare},
    {"utilization.ofa", F::kOpticalFlow, D::kShare},
    {"display_active", F::kDisplay, D::kFlag},
    {"temperature.gpu.tlimit", F::kTemperatureMargin, D::kCelsius},
    {"fabric.state", F::kFabricState, D::kText},
    {"fabric.status", F::kFabricStatus, D::kText},
    {"gpu_recovery_action", F::kRecoveryAction, D::kText},
    {"compute_mode", F::kComputeMode, D::kText},
    {"mig.mode.current", F::kMigMode, D::kFlag},
    {"reasons.gpu_idle", F::kReasonIdle, D::kFlag},
    {"reasons.applications_clocks_setting", F::kReasonApplications, D::kFlag},
    {"reasons.sw_power_cap", F::kReasonPowerCap, D::kFlag},
    {"reasons.hw_slowdown", F::kReasonHwSlowdown, D::kFlag},
    {"reasons.hw_thermal_slowdown", F::kReasonHwThermal, D::kFlag},
    {"reasons.hw_power_brake_slowdown", F::kReasonPowerBrake, D::kFlag},
    {"reasons.sw_thermal_slowdown", F::kReasonSwThermal, D::kFlag},
    {"reasons.sync_boost", F::kReasonSyncBoost, D::kFlag},
};

/// "power.draw [W]": without its unit, and without the prefix that was renamed with driver 535.
std::string_view BareName(std::string_view header) {
  header = Trim(header.substr(0, header.find(" [")));
  constexpr std::string_view kPrefixes[] = {"clocks_throttle_reasons.", "clocks_event_reasons."};
  for (const std::string_view prefix : kPrefixes) {
    if (header.substr(0, prefix.size()) == prefix) {
      return header.substr(prefix.size() - std::string_view("reasons.").size());
    }
  }
  return header;
}

const Column* Known(std::string_view header) {
  const std::string_view name = BareName(header);
  for (const Column& column : kColumns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

bool IsHeader(std::string_view line) {
  if (line.size() > 4000 || line.find(',') == std::string_view::npos) return false;
  std::size_t known = 0;
  const std::vector<std::string_view> cells = SeparatedFields(line, ',', kMostColumns);
  for (const std::string_view cell : cells) {
    const std::string_view name = BareName(cell);
    if (name.find('.') != std::string_view::npos && Known(cell) != nullptr) ++known;
    if (name == "used_gpu_memory" || name == "gpu_uuid" || name == "pci.bus_id") ++known;
  }
  return known * 4 >= cells.size() && known > 0;
}

bool IsStamp(std::string_view text) {
  return text.size() >= 19 && text[4] == '/' && text[7] == '/' && text[10] == ' ' &&
         text[13] == ':' && text[16] == ':' && ParseNumber<int>(text.substr(0, 4));
}

bool IsBoard(std::string_view cell) {
  constexpr std::string_view kMakers[] = {"NVIDIA ", "Tesla ", "GeForce ", "Quadro "};
  return std::any_of(std::begin(kMakers), std::end(kMakers),
                     [&](std::string_view maker) { return cell.starts_with(maker); });
}

/// A row whose header was not kept: it begins with a time, or one of its first cells names a board.
bool IsBareRow(std::string_view line) {
  if (line.size() > 400 || line.find(',') == std::string_view::npos) return false;
  if (!Holds(line, " %") || (!Holds(line, " MHz") && !Holds(line, " W") && !Holds(line, " MiB")))
    return false;
  if (IsStamp(Trim(line))) return true;
  const std::vector<std::string_view> cells = SeparatedFields(line, ',', kMostColumns);
  return std::any_of(cells.begin(), cells.begin() + std::min<std::ptrdiff_t>(4, std::ssize(cells)),
                     IsBoard);
}

/// Without a header only the unit tells what a cell is; what two cells share is left out.
void ReadBareRow(const std::vector<std::string_view>& cells, GpuLook& look, std::uint32_t line) {
  constexpr int kMostGpus = 64;
  const auto board = std::find_if(cells.begin(), cells.end(), IsBoard);
  if (board != cells.end()) {
    AddValue(look, F::kName, *board, D::kText, line, "name");
    const int index = board == cells.begin() ? -1 : ParseNumber<int>(*(board - 1)).value_or(-1);
    if (index >= 0 && index < kMostGpus) look.index = index;
  }
  struct Unit {
    std::string_view end;
    F field;
    D dimension;
  };
  constexpr Unit kUnits[] = {{" MHz", F::kSmClock, D::kHertz},
                             {" %", F::kUtilization, D::kShare},
                             {" W", F::kPower, D::kWatts},
                             {" MiB", F::kMemoryUsed, D::kBytes}};
  for (const Unit& unit : kUnits) {
    std::string_view found;
    std::size_t count = 0;
    for (const std::string_view cell : cells) {
      if (cell.size() <= unit.end.size()) continue;
      if (cell.substr(cell.size() - unit.end.size()) != unit.end) continue;
      if (count++ == 0) found = cell;
    }
    if (count == 1) AddValue(look, unit.field, found, unit.dimension, line, unit.end);
  }
}

GpuLook& NewLook(Pasted& into, const Section& section, std::size_t at) {
  GpuLook& look = into.gpus.emplace_back();
  look.file = section.Name();
  look.reader = kReader;
  look.line = section.Number(at);
  return look;
}

/// A column of this output.
struct NamedColumn {
  std::string_view name;
  const Column* known = nullptr;
};

std::vector<NamedColumn> ColumnsOf(const std::vector<std::string_view>& header) {
  std::vector<NamedColumn> columns;
  columns.reserve(header.size());
  for (const std::string_view cell : header) columns.push_back({BareName(cell), Known(cell)});
  return columns;
}

void ReadRow(const std::vector<NamedColumn>& columns, const std::vector<std::string_view>& cells,
             GpuLook& look) {
  for (std::size_t i = 0; i < columns.size() && i < cells.size(); ++i) {
    const std::string_view name = columns[i].name;
    if (name == "index") look.index = ParseNumber<int>(cells[i]).value_or(-1);
    if (name == "uuid" || name == "gpu_uuid") look.uuid = std::string(cells[i]);
    if (name == "pci.bus_id" || name == "gpu_bus_id") look.bus_id = std::string(cells[i]);
    if (const Column* column = columns[i].known) {
      AddValue(look, column->field, cells[i], column->dimension, look.line, name);
    } else if (IsUnreadable(cells[i])) {
      AddValue(look, F::kUnreadable, cells[i], D::kText, look.line, name);
    }
  }
}

void ReadProcess(const std::vector<std::string_view>& header,
                 const std::vector<std::string_view>& cells, GpuProcess process, Pasted& into) {
  for (std::size_t i = 0; i < header.size() && i < cells.size(); ++i) {
    const std::string_view name = BareName(header[i]);
    if (name == "pid") process.pid = ParseNumber<int>(cells[i]).value_or(0);
    if (name == "process_name" || name == "name") process.name = std::string(cells[i]);
    if (name == "gpu_uuid") process.gpu_id = std::string(cells[i]);
    if (name == "gpu_bus_id" && process.gpu_id.empty()) process.gpu_id = std::string(cells[i]);
    if (name == "used_gpu_memory" || name == "used_memory") {
      const Reading<PastedValue> memory = Measure(cells[i], D::kBytes);
      if (memory) process.memory = std::get<double>(*memory);
    }
  }
  process.type = "C";
  if (process.pid > 0) into.processes.push_back(std::move(process));
}

}  // namespace

std::optional<Match> RecogniseSmiCsv(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && !IsHeader(section[first]) && !IsBareRow(section[first])) ++first;
  if (first == section.size()) return std::nullopt;
  const std::size_t columns = SeparatedFields(section[first], ',', kMostColumns).size();
  std::size_t end = first + 1;
  for (std::size_t i = first + 1; i < section.size(); ++i) {
    if (Trim(section[i]).empty()) continue;
    if (SeparatedFields(section[i], ',', kMostColumns).size() != columns || IsHeader(section[i]))
      break;
    end = i + 1;
  }
  return Match{first, end, 80};
}

void ReadSmiCsv(const Section& section, const Match& match, Pasted& into,
                std::vector<Problem>& problems) {
  const bool bare = !IsHeader(section[match.first]);
  if (bare) {
    problems.push_back({section.Number(match.first),
                        _("rows without their header: only columns were read that their unit tells "
                          "apart; nvidia-smi --format=csv prints it")});
  }
  const std::vector<std::string_view> header =
      SeparatedFields(section[match.first], ',', kMostColumns);
  const bool apps = std::any_of(header.begin(), header.end(),
                                [](std::string_view cell) { return BareName(cell) == "pid"; });
  const std::vector<NamedColumn> columns = ColumnsOf(header);
  std::uint32_t sample = 0;
  for (std::size_t i = match.first + (bare ? 0 : 1); i < match.end; ++i) {
    if (Trim(section[i]).empty()) continue;
    const std::vector<std::string_view> cells = SeparatedFields(section[i], ',', kMostColumns);
    if (apps) {
      GpuProcess process;
      process.place = {section.Name(), section.Number(i)};
      process.reader = kReader;
      ReadProcess(header, cells, std::move(process), into);
      continue;
    }
    GpuLook& look = NewLook(into, section, i);
    look.sample = sample++;
    if (bare) {
      ReadBareRow(cells, look, section.Number(i));
    } else {
      ReadRow(columns, cells, look);
    }
  }
}

}  // namespace gpuwhy
