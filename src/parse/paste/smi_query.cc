#include "parse/paste/smi_query.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/i18n.h"
#include "base/text.h"
#include "parse/paste/quantity.h"
#include "parse/paste/smi_report.h"

namespace gpuwhy {
namespace {

constexpr const char* kReader = "nvidia-smi-q";

struct Key {
  std::string_view section, key;  ///< section "": whatever the section
  GpuField field;
  Dimension dimension;
};

using F = GpuField;
using D = Dimension;
constexpr Key kKeys[] = {
    {"", "Product Name", F::kName, D::kText},
    {"", "GPU UUID", F::kUuid, D::kText},
    {"", "Persistence Mode", F::kPersistence, D::kFlag},
    {"MIG Mode", "Current", F::kMigMode, D::kFlag},
    {"", "Display Active", F::kDisplay, D::kFlag},
    {"", "Performance State", F::kPstate, D::kText},
    {"", "Fan Speed", F::kFan, D::kShare},
    {"", "Compute Mode", F::kComputeMode, D::kText},
    {"", "GPU Recovery Action", F::kRecoveryAction, D::kText},
    {"PCIe Generation", "Current", F::kLinkGen, D::kCount},
    {"PCIe Generation", "Max", F::kLinkGenMax, D::kCount},
    {"PCIe Generation", "Device Max", F::kLinkGenDeviceMax, D::kCount},
    {"PCIe Generation", "Host Max", F::kLinkGenHostMax, D::kCount},
    {"Link Width", "Current", F::kLinkWidth, D::kCount},
    {"Link Width", "Max", F::kLinkWidthMax, D::kCount},
    {"", "Replays Since Reset", F::kPcieReplays, D::kCount},
    {"", "Replays since reset", F::kPcieReplays, D::kCount},
    {"", "Tx Throughput", F::kPcieTx, D::kByteRate},
    {"", "Rx Throughput", F::kPcieRx, D::kByteRate},
    {"Reasons", "Idle", F::kReasonIdle, D::kFlag},
    {"Reasons", "Applications Clocks Setting", F::kReasonApplications, D::kFlag},
    {"Reasons", "SW Power Cap", F::kReasonPowerCap, D::kFlag},
    {"Reasons", "HW Slowdown", F::kReasonHwSlowdown, D::kFlag},
    {"Reasons", "HW Thermal Slowdown", F::kReasonHwThermal, D::kFlag},
    {"Reasons", "HW Power Brake Slowdown", F::kReasonPowerBrake, D::kFlag},
    {"Reasons", "Sync Boost", F::kReasonSyncBoost, D::kFlag},
    {"Reasons", "SW Thermal Slowdown", F::kReasonSwThermal, D::kFlag},
    {"Reasons", "Display Clock Setting", F::kReasonDisplay, D::kFlag},
    {"Reasons Counters", "SW Power Capping", F::kCounterPowerCap, D::kSeconds},
    {"Reasons Counters", "Sync Boost", F::kCounterSyncBoost, D::kSeconds},
    {"Reasons Counters", "SW Thermal Slowdown", F::kCounterSwThermal, D::kSeconds},
    {"Reasons Counters", "HW Thermal Slowdown", F::kCounterHwThermal, D::kSeconds},
    {"Reasons Counters", "HW Power Braking", F::kCounterPowerBrake, D::kSeconds},
    {"FB Memory Usage", "Total", F::kMemoryTotal, D::kBytes},
    {"FB Memory Usage", "Used", F::kMemoryUsed, D::kBytes},
    {"BAR1 Memory Usage", "Total", F::kBar1Total, D::kBytes},
    {"BAR1 Memory Usage", "Used", F::kBar1Used, D::kBytes},
    {"Utilization", "Gpu", F::kUtilization, D::kShare},
    {"Utilization", "GPU", F::kUtilization, D::kShare},
    {"Utilization", "Memory", F::kMemoryUtilization, D::kShare},
    {"Utilization", "Encoder", F::kEncoder, D::kShare},
    {"Utilization", "Decoder", F::kDecoder, D::kShare},
    {"Utilization", "JPEG", F::kJpeg, D::kShare},
    {"Utilization", "OFA", F::kOpticalFlow, D::kShare},
    {"ECC Mode", "Current", F::kEccMode, D::kFlag},
    {"Retired Pages", "Single Bit ECC", F::kRetiredSingle, D::kCount},
    {"Retired Pages", "Double Bit ECC", F::kRetiredDouble, D::kCount},
    {"Retired Pages", "Pending Page Blacklist", F::kRetiredPending, D::kFlag},
    {"Retired Pages", "Pending", F::kRetiredPending, D::kFlag},
    {"Remapped Rows", "Correctable Error", F::kRemapCorrectable, D::kCount},
    {"Remapped Rows", "Uncorrectable Error", F::kRemapUncorrectable, D::kCount},
    {"Remapped Rows", "Pending", F::kRemapPending, D::kFlag},
    {"Remapped Rows", "Remapping Failure Occurred", F::kRemapFailed, D::kFlag},
    {"Temperature", "GPU Current Temp", F::kTemperature, D::kCelsius},
    {"Temperature", "Gpu", F::kTemperature, D::kCelsius},
    {"Temperature", "GPU Slowdown Temp", F::kTemperatureSlowdown, D::kCelsius},
    {"Temperature", "GPU T.Limit Temp", F::kTemperatureMargin, D::kCelsius},
    {"Power Readings", "Power Draw", F::kPower, D::kWatts},
    {"Power Readings", "Average Power Draw", F::kPower, D::kWatts},
    {"Power Readings", "Instantaneous Power Draw", F::kPower, D::kWatts},
    {"Power Readings", "Current Power Limit", F::kPowerLimit, D::kWatts},
    {"Power Readings", "Power Limit", F::kPowerLimit, D::kWatts},
    {"Power Readings", "Default Power Limit", F::kPowerLimitDefault, D::kWatts},
    {"Power Readings", "Min Power Limit", F::kPowerLimitMin, D::kWatts},
    {"Power Readings", "Max Power Limit", F::kPowerLimitMax, D::kWatts},
    {"=Clocks", "SM", F::kSmClock, D::kHertz},
    {"=Clocks", "Memory", F::kMemoryClock, D::kHertz},
    {"=Applications Clocks", "Graphics", F::kAppSmClock, D::kHertz},
    {"=Default Applications Clocks", "Graphics", F::kDefaultSmClock, D::kHertz},
    {"=Max Clocks", "SM", F::kMaxSmClock, D::kHertz},
    {"=Max Clocks", "Memory", F::kMaxMemoryClock, D::kHertz},
    {"=Fabric", "State", F::kFabricState, D::kText},
    {"=Fabric", "Status", F::kFabricStatus, D::kText},
};

/// Lines that only -q prints, from which a fragment is recognised.
constexpr std::string_view kSigns[] = {"NVSMI LOG",
                                       "Clocks Throttle Reasons",
                                       "Clocks Event Reasons",
                                       "FB Memory Usage",
                                       "BAR1 Memory Usage",
                                       "GPU Power Readings",
                                       "Power Readings",
                                       "Remapped Rows",
                                       "Retired Pages",
                                       "ECC Errors",
                                       "GPU Link Info",
                                       "Ecc Errors",
                                       "SW Power Cap",
                                       "Clocks Throttle",
                                       "Fabric",
                                       "Performance State",
                                       "Max Clocks",
                                       "Applications Clocks",
                                       "GPU UUID",
                                       "PCIe Generation"};

bool IsSign(std::string_view line) {
  const std::string_view text = Trim(line);
  if (Holds(text, "NVSMI LOG")) return true;
  if (text.size() > 120) return false;
  const std::string_view key = Trim(text.substr(0, text.find(':')));
  return std::find(std::begin(kSigns), std::end(kSigns), key) != std::end(kSigns);
}

std::size_t Indent(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? 0 : first;
}

bool IsDeviceTitle(std::string_view text) {
  if (text.substr(0, 4) != "GPU ") return false;
  const std::string_view id = Trim(text.substr(4));
  return !id.empty() && BusIdIn(id) == id;
}

/// "==============NVSMI LOG=============="; text is not empty.
bool IsTitle(std::string_view text) { return text.front() == '=' && Holds(text, "NVSMI LOG"); }

/// Could the line be of -q at all?
bool Belongs(std::string_view line) {
  const std::string_view text = Trim(line);
  if (text.empty() || IsTitle(text) || IsDeviceTitle(text)) return true;
  if (text.size() > 200 || text.front() == '|' || text.front() == '+' || text.front() == '#') {
    return false;
  }
  if (Holds(text, " : ") || text.ends_with(":")) return true;
  return Indent(line) >= 2 || IsSign(line);
}

class QueryReader {
 public:
  QueryReader(const Section& section, Pasted& into)
      : section_(section), into_(into), first_look_(into.gpus.size()) {}

  void Line(std::size_t at) {
    line_ = section_.Number(at);
    const std::string_view raw = section_[at];
    const std::string_view text = Trim(raw);
    if (text.empty() || IsTitle(text)) return;
    if (IsDeviceTitle(text)) return StartDevice(BusIdIn(text));
    const std::size_t colon = text.find(':');
    const std::size_t indent = Indent(raw);
    while (!open_.empty() && open_.back().indent >= indent) open_.pop_back();
    if (colon == std::string_view::npos || (colon + 1 == text.size() && colon > 0)) {
      open_.push_back({indent, Trim(text.substr(0, colon))});
      return;
    }
    Value(Trim(text.substr(0, colon)), Trim(text.substr(colon + 1)));
    // A value may have values of its own below it: "HW Slowdown", "Processes".
  }

  [[nodiscard]] std::size_t Devices() const { return into_.gpus.size() - first_look_ - repeats_; }
  [[nodiscard]] const Announced& Attached() const { return attached_; }
  [[nodiscard]] std::size_t Damaged() const { return damaged_; }
  [[nodiscard]] std::uint32_t DamagedLine() const { return damaged_line_; }

 private:
  struct Heading {
    std::size_t indent;
    std::string_view name;
  };

  void StartDevice(std::string_view bus_id) {
    GpuLook& look = into_.gpus.emplace_back();
    look.file = section_.Name();
    look.reader = kReader;
    look.line = line_;
    look.bus_id = std::string(bus_id);
    look.index = static_cast<std::int32_t>(Devices()) - 1;
    // Headings stay open where a fragment starts below them without a title.
    if (!bus_id.empty()) open_.clear();
    seen_.fill(false);
    if (!driver_.empty()) {
      look.values.push_back({F::kDriver, PastedValue(std::string(driver_)), driver_line_});
    }
    if (!stamp_.empty()) {
      look.values.push_back({F::kTimestamp, PastedValue(std::string(stamp_)), stamp_line_});
    }
  }

  void RepeatDevice() {
    GpuLook again;
    const GpuLook& last = into_.gpus.back();
    again.file = last.file;
    again.reader = last.reader;
    again.uuid = last.uuid;
    again.bus_id = last.bus_id;
    again.index = last.index;
    again.sample = last.sample + 1;
    again.line = line_;
    into_.gpus.push_back(std::move(again));
    ++repeats_;
    seen_.fill(false);
  }

  GpuLook& Look() {
    if (Devices() == 0) StartDevice({});
    return into_.gpus.back();
  }

  [[nodiscard]] bool Within(std::string_view name) const {
    return std::any_of(open_.begin(), open_.end(),
                       [&](const Heading& heading) { return heading.name == name; });
  }

  void Value(std::string_view key, std::string_view value) {
    if (key == "Attached GPUs") {
      attached_ = {ParseNumber<std::size_t>(value).value_or(0), line_};
      return;
    }
    if (key == "Driver Version") {
      driver_ = value;
      driver_line_ = line_;
      return;
    }
    if (key == "Timestamp") {
      stamp_ = value;
      stamp_line_ = line_;
      return;
    }
    if (key == "CUDA Version") return;
    if (InSlice() || Process(key, value) || Ecc(key, value) || Within("Module Power Readings") ||
        Within("GPU Memory Power Readings")) {
      return;
    }
    const std::string_view section = open_.empty() ? std::string_view{} : open_.back().name;
    for (const Key& one : kKeys) {
      if (one.key != key || !StandsUnder(one.section, section)) continue;
      // The same key again without a new title: another look, pasted below the first.
      const auto index = static_cast<std::size_t>(&one - std::begin(kKeys));
      if (Devices() > 0 && seen_[index]) RepeatDevice();
      Look();
      seen_[index] = true;
      if (one.field == F::kUuid) Look().uuid = std::string(value);
      AddValue(Look(), one.field, value, one.dimension, line_, key);
      return;
    }
    if (IsUnreadable(value)) AddValue(Look(), F::kUnreadable, value, D::kText, line_, key);
    if (key.substr(0, 8) == "Invalid " && damaged_++ == 0) damaged_line_ = line_;
  }

  /// "MIG Device", "FB Memory Usage": the memory of the slice, not of the GPU.
  [[nodiscard]] bool InSlice() const { return Within("MIG Device") || Within("MIG Devices"); }

  bool Process(std::string_view key, std::string_view value) {
    if (key == "Processes" && value == "None") {
      into_.process_tables.push_back({{section_.Name(), line_}, true, false});
      return true;
    }
    if (key == "Process ID") {
      if (const std::optional<int> pid = ParseNumber<int>(value)) {
        GpuProcess process;
        process.place = {section_.Name(), line_};
        process.reader = kReader;
        process.pid = *pid;
        process.gpu = Look().index;
        process.gpu_id = Look().uuid.empty() ? Look().bus_id : Look().uuid;
        process.mig_instance = instance_;
        into_.processes.push_back(std::move(process));
        in_process_ = true;
      }
      return true;
    }
    if (key == "GPU instance ID" || key == "GPU Instance ID") {
      instance_ = ParseNumber<int>(value).value_or(-1);
      return true;
    }
    if (!in_process_ || into_.processes.empty()) return false;
    GpuProcess& process = into_.processes.back();
    if (key == "Type") {
      process.type = std::string(value);
    } else if (key == "Name") {
      process.name = std::string(value);
    } else if (key == "Used GPU Memory") {
      const Reading<PastedValue> memory = Measure(value, D::kBytes);
      if (memory) process.memory = std::get<double>(*memory);
      in_process_ = false;
    } else {
      return false;
    }
    return true;
  }

  /// Driver 340 to 450: Volatile / Single Bit / Total; later: SRAM Correctable and the like.
  bool Ecc(std::string_view key, std::string_view value) {
    const bool is_volatile = Within("Volatile");
    if (!is_volatile && !Within("Aggregate")) return false;
    if (Holds(key, "Threshold") || key == "Channel Repair Pending") return true;
    const bool uncorrected = Within("Double Bit") || Holds(key, "Uncorrectable");
    const bool corrected =
        Within("Single Bit") || (Holds(key, "Correctable") && !Holds(key, "Uncorrectable"));
    if (!uncorrected && !corrected) return true;
    AddValue(Look(), EccField(is_volatile, uncorrected), value, D::kCount, line_, key);
    return true;
  }

  const Section& section_;
  Pasted& into_;
  std::size_t first_look_;
  std::vector<Heading> open_;
  std::string_view driver_, stamp_;
  std::uint32_t line_ = 0, driver_line_ = 0, stamp_line_ = 0, damaged_line_ = 0;
  Announced attached_;
  std::size_t damaged_ = 0;
  std::int32_t instance_ = -1;
  bool in_process_ = false;
  std::size_t repeats_ = 0;
  std::array<bool, std::size(kKeys)> seen_{};
};

}  // namespace

std::optional<Match> RecogniseSmiQuery(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && !IsSign(section[first])) ++first;
  if (first == section.size()) return std::nullopt;
  // A fragment may begin above the first line that is known: take what belongs to it.
  std::size_t start = first;
  while (start > from && Belongs(section[start - 1]) && !Trim(section[start - 1]).empty()) --start;
  std::size_t end = first + 1;
  std::size_t foreign = 0;
  const std::size_t prompt = section.NextPrompt(first);
  for (std::size_t i = first + 1; i < prompt && foreign < 3; ++i) {
    const std::string_view text = Trim(section[i]);
    if (text.empty()) continue;
    if (IsTitle(text)) break;
    const char head = text.front();
    if (head == '+' || head == '|' || head == '#') break;
    if (Belongs(section[i])) {
      end = i + 1;
      foreign = 0;
    } else {
      ++foreign;
    }
  }
  const bool title = Holds(section[first], "NVSMI LOG");
  return Match{start, end, title ? 85 : 55};
}

void ReadSmiQuery(const Section& section, const Match& match, Pasted& into,
                  std::vector<Problem>& problems) {
  QueryReader reader(section, into);
  for (std::size_t i = match.first; i < match.end; ++i) reader.Line(i);
  NoteMissingDevices(section, reader.Attached(), reader.Devices(), into, problems);
  if (reader.Damaged() > 0) {
    NoteIncomplete(section, reader.DamagedLine(),
                   Format(_("{} labels are damaged"), reader.Damaged()), into, problems);
  }
}

}  // namespace gpuwhy
