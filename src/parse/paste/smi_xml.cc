#include "parse/paste/smi_xml.h"

#include <expat.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/i18n.h"
#include "base/text.h"
#include "parse/paste/quantity.h"
#include "parse/paste/smi_report.h"

namespace gpuwhy {
namespace {

constexpr const char* kReader = "nvidia-smi-xml";

struct Element {
  std::string_view parent, tag;  ///< parent "": whatever it is; else the end of its name
  GpuField field;
  Dimension dimension;
};

using F = GpuField;
using D = Dimension;
constexpr Element kElements[] = {
    {"gpu", "product_name", F::kName, D::kText},
    {"gpu", "persistence_mode", F::kPersistence, D::kFlag},
    {"gpu", "display_active", F::kDisplay, D::kFlag},
    {"gpu", "performance_state", F::kPstate, D::kText},
    {"gpu", "fan_speed", F::kFan, D::kShare},
    {"gpu", "compute_mode", F::kComputeMode, D::kText},
    {"gpu", "gpu_recovery_action", F::kRecoveryAction, D::kText},
    {"mig_mode", "current_mig", F::kMigMode, D::kFlag},
    {"pcie_gen", "current_link_gen", F::kLinkGen, D::kCount},
    {"pcie_gen", "max_link_gen", F::kLinkGenMax, D::kCount},
    {"pcie_gen", "max_device_link_gen", F::kLinkGenDeviceMax, D::kCount},
    {"pcie_gen", "max_host_link_gen", F::kLinkGenHostMax, D::kCount},
    {"link_widths", "current_link_width", F::kLinkWidth, D::kCount},
    {"link_widths", "max_link_width", F::kLinkWidthMax, D::kCount},
    {"pci", "replay_counter", F::kPcieReplays, D::kCount},
    {"pci", "tx_util", F::kPcieTx, D::kByteRate},
    {"pci", "rx_util", F::kPcieRx, D::kByteRate},
    {"reasons", "gpu_idle", F::kReasonIdle, D::kFlag},
    {"reasons", "applications_clocks_setting", F::kReasonApplications, D::kFlag},
    {"reasons", "sw_power_cap", F::kReasonPowerCap, D::kFlag},
    {"reasons", "hw_slowdown", F::kReasonHwSlowdown, D::kFlag},
    {"reasons", "hw_thermal_slowdown", F::kReasonHwThermal, D::kFlag},
    {"reasons", "hw_power_brake_slowdown", F::kReasonPowerBrake, D::kFlag},
    {"reasons", "sync_boost", F::kReasonSyncBoost, D::kFlag},
    {"reasons", "sw_thermal_slowdown", F::kReasonSwThermal, D::kFlag},
    {"fb_memory_usage", "total", F::kMemoryTotal, D::kBytes},
    {"fb_memory_usage", "used", F::kMemoryUsed, D::kBytes},
    {"bar1_memory_usage", "total", F::kBar1Total, D::kBytes},
    {"bar1_memory_usage", "used", F::kBar1Used, D::kBytes},
    {"utilization", "gpu_util", F::kUtilization, D::kShare},
    {"utilization", "memory_util", F::kMemoryUtilization, D::kShare},
    {"utilization", "encoder_util", F::kEncoder, D::kShare},
    {"utilization", "decoder_util", F::kDecoder, D::kShare},
    {"utilization", "jpeg_util", F::kJpeg, D::kShare},
    {"utilization", "ofa_util", F::kOpticalFlow, D::kShare},
    {"ecc_mode", "current_ecc", F::kEccMode, D::kFlag},
    {"multiple_single_bit_retirement", "retired_count", F::kRetiredSingle, D::kCount},
    {"double_bit_retirement", "retired_count", F::kRetiredDouble, D::kCount},
    {"retired_pages", "pending_retirement", F::kRetiredPending, D::kFlag},
    {"retired_pages", "pending_blacklist", F::kRetiredPending, D::kFlag},
    {"remapped_rows", "remapped_row_corr", F::kRemapCorrectable, D::kCount},
    {"remapped_rows", "remapped_row_unc", F::kRemapUncorrectable, D::kCount},
    {"remapped_rows", "remapped_row_pending", F::kRemapPending, D::kFlag},
    {"remapped_rows", "remapped_row_failure", F::kRemapFailed, D::kFlag},
    {"temperature", "gpu_temp", F::kTemperature, D::kCelsius},
    {"temperature", "gpu_temp_tlimit", F::kTemperatureMargin, D::kCelsius},
    {"temperature", "gpu_temp_slow_threshold", F::kTemperatureSlowdown, D::kCelsius},
    {"power_readings", "power_draw", F::kPower, D::kWatts},
    {"power_readings", "average_power_draw", F::kPower, D::kWatts},
    {"power_readings", "instant_power_draw", F::kPower, D::kWatts},
    {"power_readings", "power_limit", F::kPowerLimit, D::kWatts},
    {"power_readings", "current_power_limit", F::kPowerLimit, D::kWatts},
    {"power_readings", "default_power_limit", F::kPowerLimitDefault, D::kWatts},
    {"power_readings", "min_power_limit", F::kPowerLimitMin, D::kWatts},
    {"power_readings", "max_power_limit", F::kPowerLimitMax, D::kWatts},
    {"=clocks", "sm_clock", F::kSmClock, D::kHertz},
    {"=clocks", "mem_clock", F::kMemoryClock, D::kHertz},
    {"=applications_clocks", "graphics_clock", F::kAppSmClock, D::kHertz},
    {"=default_applications_clocks", "graphics_clock", F::kDefaultSmClock, D::kHertz},
    {"=max_clocks", "sm_clock", F::kMaxSmClock, D::kHertz},
    {"=max_clocks", "mem_clock", F::kMaxMemoryClock, D::kHertz},
    {"fabric", "state", F::kFabricState, D::kText},
    {"fabric", "status", F::kFabricStatus, D::kText},
};

/// "clocks_event_reason_sw_power_cap" and, before driver 535, "clocks_throttle_reason_...".
std::string_view BareTag(std::string_view tag) {
  constexpr std::string_view kPart = "_reason_";
  const std::size_t at = tag.find(kPart);
  if (tag.substr(0, 7) != "clocks_" || at == std::string_view::npos) return tag;
  return tag.substr(at + kPart.size());
}

/// Follows the elements. Callbacks of the parser get it as their user data.
class XmlReader {
 public:
  XmlReader(const Section& section, std::size_t first, Pasted& into)
      : section_(section), first_(first), into_(into) {}

  void Open(std::string_view tag, const char** attributes, std::size_t line) {
    line_ = NumberOf(line);
    if (open_.size() < kDeepest) open_.emplace_back(tag);
    ++depth_;
    text_.clear();
    if (tag == "gpu" && !Within("processes")) StartDevice(attributes);
    if (tag == "mig_device") StartSlice();
    if (tag == "process_info") StartProcess();
    if (tag == "processes" && gpu_ != kNone) {
      into_.process_tables.push_back({{section_.Name(), line_}, false, false});
    }
  }

  void Text(std::string_view text) {
    constexpr std::size_t kLongest = 4096;
    if (text_.size() + text.size() <= kLongest) text_ += text;
  }

  void Close(std::string_view tag, std::size_t line) {
    line_ = NumberOf(line);
    const std::string value(Trim(text_));
    text_.clear();
    if (depth_ > 0 && depth_-- == open_.size()) open_.pop_back();
    if (tag == "gpu") gpu_ = kNone;
    if (!value.empty()) Value(tag, value);
  }

  [[nodiscard]] const Announced& Attached() const { return attached_; }
  [[nodiscard]] std::size_t Devices() const { return devices_; }

 private:
  static constexpr std::size_t kDeepest = 32;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// Line 1 is the root that was put around the text.
  [[nodiscard]] std::uint32_t NumberOf(std::size_t line) const {
    const std::size_t at = first_ + (line < 2 ? 0 : line - 2);
    return section_.size() == 0 ? 0 : section_.Number(std::min(at, section_.size() - 1));
  }

  [[nodiscard]] bool Within(std::string_view tag) const {
    return std::find(open_.begin(), open_.end(), tag) != open_.end();
  }

  GpuLook& NewLook() {
    GpuLook& look = into_.gpus.emplace_back();
    look.file = section_.Name();
    look.reader = kReader;
    look.line = line_;
    return look;
  }

  void StartDevice(const char** attributes) {
    GpuLook& look = NewLook();
    gpu_ = into_.gpus.size() - 1;
    look.index = static_cast<std::int32_t>(devices_++);
    for (const char** one = attributes; one != nullptr && *one != nullptr; one += 2) {
      if (std::string_view(one[0]) == "id") look.bus_id = one[1];
    }
    if (!driver_.empty()) AddValue(look, F::kDriver, driver_, D::kText, line_, "driver_version");
  }

  void StartSlice() {
    const std::int32_t index = gpu_ == kNone ? -1 : into_.gpus[gpu_].index;
    GpuLook& look = NewLook();
    look.mig = true;
    look.index = index;
  }

  void StartProcess() {
    GpuProcess& process = into_.processes.emplace_back();
    process.place = {section_.Name(), line_};
    process.reader = kReader;
    if (gpu_ == kNone) return;
    const GpuLook& look = into_.gpus[gpu_];
    process.gpu = look.index;
    process.gpu_id = look.uuid.empty() ? look.bus_id : look.uuid;
  }

  void Value(std::string_view tag, const std::string& value) {
    if (tag == "attached_gpus") {
      attached_ = {ParseNumber<std::size_t>(value).value_or(0), line_};
    }
    if (tag == "driver_version") driver_ = value;
    if (gpu_ == kNone || Within("mig_device")) return;
    if (Within("process_info")) return Process(tag, value);
    if (Within("module_power_readings") || Within("gpu_memory_power_readings")) return;
    GpuLook& look = into_.gpus[gpu_];
    const std::string_view parent = open_.empty() ? std::string_view{} : open_.back();
    if (tag == "uuid" && parent == "gpu") look.uuid = value;
    if (tag == "processes" && value == "None" && !into_.process_tables.empty()) {
      into_.process_tables.back().none = true;
    }
    if (Ecc(look, tag, value)) return;
    for (const Element& one : kElements) {
      if (one.tag != BareTag(tag) || !StandsUnder(one.parent, parent)) continue;
      return AddValue(look, one.field, value, one.dimension, line_, tag);
    }
    if (IsUnreadable(value)) AddValue(look, F::kUnreadable, value, D::kText, line_, tag);
  }

  /// Up to driver 450 <volatile><double_bit><total>, then <volatile><dram_uncorrectable>.
  bool Ecc(GpuLook& look, std::string_view tag, std::string_view value) {
    const bool is_volatile = Within("volatile");
    if (!is_volatile && !Within("aggregate")) return false;
    const bool uncorrected = Within("double_bit") || Holds(tag, "uncorrectable");
    const bool corrected = !uncorrected && (Within("single_bit") || Holds(tag, "correctable"));
    if (Holds(tag, "threshold") || (!uncorrected && !corrected)) return true;
    AddValue(look, EccField(is_volatile, uncorrected), value, D::kCount, line_, tag);
    return true;
  }

  void Process(std::string_view tag, const std::string& value) {
    GpuProcess& process = into_.processes.back();
    if (tag == "pid") process.pid = ParseNumber<int>(value).value_or(0);
    if (tag == "type") process.type = value;
    if (tag == "process_name") process.name = value;
    if (tag == "gpu_instance_id") process.mig_instance = ParseNumber<int>(value).value_or(-1);
    if (tag != "used_memory") return;
    const Reading<PastedValue> memory = Measure(value, D::kBytes);
    if (memory) process.memory = std::get<double>(*memory);
  }

  const Section& section_;
  std::size_t first_;
  Pasted& into_;
  std::vector<std::string> open_;  ///< as deep as kDeepest; depth_ counts on
  std::size_t depth_ = 0;
  std::string text_, driver_;
  std::size_t gpu_ = kNone;  ///< index into into_.gpus
  std::size_t devices_ = 0;
  Announced attached_;
  std::uint32_t line_ = 0;
};

struct Parser {
  XML_Parser parser;
  XmlReader* reader;
};

void OnOpen(void* user, const char* tag, const char** attributes) {
  const auto* parser = static_cast<Parser*>(user);
  parser->reader->Open(tag, attributes, XML_GetCurrentLineNumber(parser->parser));
}

void OnClose(void* user, const char* tag) {
  const auto* parser = static_cast<Parser*>(user);
  parser->reader->Close(tag, XML_GetCurrentLineNumber(parser->parser));
}

void OnText(void* user, const char* text, int size) {
  static_cast<Parser*>(user)->reader->Text({text, static_cast<std::size_t>(size)});
}

struct FreeParser {
  void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
};

/// Entities were resolved when the paste was cleaned, so that each "&" left stands for itself.
std::string Escaped(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (c == '&') {
      text += "&amp;";
    } else {
      text.push_back(c);
    }
  }
  return text;
}

bool StartsXml(std::string_view line) {
  return Holds(line, "<nvidia_smi_log>") || Holds(line, "<gpu id=\"");
}

}  // namespace

std::optional<Match> RecogniseSmiXml(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && !StartsXml(section[first])) ++first;
  if (first == section.size()) return std::nullopt;
  const std::size_t prompt = section.NextPrompt(first + 1);
  std::size_t end = first;
  while (end < prompt) {
    if (Holds(section[end++], "</nvidia_smi_log>")) break;
  }
  return Match{first, std::max(end, first + 1), 95};
}

void ReadSmiXml(const Section& section, const Match& match, Pasted& into,
                std::vector<Problem>& problems) {
  const std::unique_ptr<XML_ParserStruct, FreeParser> parser(XML_ParserCreate("UTF-8"));
  if (!parser) return;
  XmlReader reader(section, match.first, into);
  Parser user{parser.get(), &reader};
  XML_SetUserData(parser.get(), &user);
  XML_SetElementHandler(parser.get(), OnOpen, OnClose);
  XML_SetCharacterDataHandler(parser.get(), OnText);
  const auto feed = [&](std::string_view text) {
    return XML_Parse(parser.get(), text.data(), static_cast<int>(text.size()), 0) == XML_STATUS_OK;
  };
  // A root of our own: the paste may begin or end anywhere, and several may follow each other.
  bool sound = feed("<paste>\n");
  for (std::size_t i = match.first; sound && i < match.end; ++i) {
    // Declarations are not needed, and entities of a document type could be hostile.
    const std::string_view text = Trim(section[i]);
    const bool declares = text.substr(0, 2) == "<?" || text.substr(0, 2) == "<!";
    constexpr std::size_t kLongest = std::size_t{1} << 20U;
    sound = (declares || text.size() > kLongest || feed(Escaped(section[i]))) && feed("\n");
    if (!sound) problems.push_back({section.Number(i), _("the XML is damaged from here on")});
  }
  NoteMissingDevices(section, reader.Attached(), reader.Devices(), into, problems);
}

}  // namespace gpuwhy
