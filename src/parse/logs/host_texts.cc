#include "parse/logs/host_texts.h"

#include <array>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "parse/host/free.h"
#include "parse/line_reader.h"
#include "parse/logs/number_series.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kMostPorts = 256;
constexpr std::size_t kMostSamples = 4096;
constexpr std::size_t kMostPressures = 64;

/// "Key: value" of an indented listing; an empty key where the line has no colon.
std::pair<std::string_view, std::string_view> KeyValue(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  return {Trim(line.substr(0, colon)), Trim(line.substr(colon + 1))};
}

std::optional<double> AfterKey(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  double value = 0;
  const char* first = line.data() + at + key.size();
  const auto [stop, ec] = std::from_chars(first, line.data() + line.size(), value);
  if (ec != std::errc{} || value < 0 || value > 100) return std::nullopt;
  return value / 100;
}

/// "memory" of "/proc/pressure/memory" or "memory.pressure"; empty where none is named.
std::string_view ResourceIn(std::string_view name) {
  for (const std::string_view resource : {"memory", "cpu", "io"}) {
    if (Holds(name, resource)) return resource;
  }
  return {};
}

}  // namespace

std::vector<IbPort> FindIbPorts(std::string_view text) {
  std::vector<IbPort> ports;
  if (!Holds(text, "CA '") && !Holds(text, "Physical state:")) return ports;
  std::string device;
  std::string type;
  LineReader lines(text);
  while (lines.Next() && ports.size() < kMostPorts) {
    const std::string_view line = Trim(lines.Line());
    if (line.starts_with("CA '")) {
      device = std::string(line.substr(4, line.find('\'', 4) - 4));
      type.clear();
    }
    const auto [key, value] = KeyValue(line);
    if (key == "CA type") type = std::string(value);
    if (key == "State") {
      IbPort port;
      port.device = device;
      port.type = type;
      port.state = std::string(value);
      port.quote = Quote(lines.Number(), (device.empty() ? "" : device + ": ") + std::string(line));
      ports.push_back(std::move(port));
    }
    if (ports.empty() || ports.back().device != device) continue;
    if (key == "Physical state") {
      ports.back().physical = std::string(value);
      ports.back().quote.text += ", " + std::string(line.substr(0, 100));
    }
    if (key == "Rate") {
      if (const std::optional<double> rate = ParseDouble(value.substr(0, value.find(' '))))
        ports.back().rate = *rate;
      ports.back().quote.text += ", " + std::string(line.substr(0, 100));
    }
    if (key == "Link layer") ports.back().layer = std::string(value);
  }
  return ports;
}

std::vector<PressureText> ParsePressureTexts(std::string_view text, std::string_view name) {
  if (!Holds(text, "avg300=")) return {};
  std::vector<PressureText> found;
  std::string_view resource = ResourceIn(name);
  LineReader lines(text);
  while (lines.Next() && found.size() < kMostPressures) {
    std::string_view line = Trim(lines.Line());
    // "/proc/pressure/io:some avg10=", as grep prints the lines of several files.
    const std::size_t place = line.find("pressure/");
    if (place != std::string_view::npos) {
      const std::size_t colon = line.find(':', place);
      resource = ResourceIn(line.substr(place, colon - place));
      if (colon != std::string_view::npos) line = Trim(line.substr(colon + 1));
    }
    const std::optional<double> ten = AfterKey(line, "avg10=");
    const std::optional<double> sixty = AfterKey(line, "avg60=");
    const std::optional<double> three = AfterKey(line, "avg300=");
    if (!ten || !sixty || !three) continue;
    if (line.starts_with("some")) {
      PressureText& pressure = found.emplace_back();
      pressure.resource = std::string(resource);
      pressure.some10 = *ten, pressure.some60 = *sixty, pressure.some300 = *three;
    } else if (found.empty() || !line.starts_with("full") || found.back().full10 ||
               found.back().resource != resource) {
      continue;
    } else {
      found.back().full10 = ten, found.back().full60 = sixty, found.back().full300 = three;
    }
    found.back().quotes.push_back(Quote(lines.Number(), line));
  }
  return found;
}

std::optional<MemoryTrend> ParseFreeOutputs(std::string_view text) {
  if (!Holds(text, "Mem:") || !Holds(text, "available")) return std::nullopt;
  MemoryTrend trend;
  Cells names;
  double unit = kKibi;
  LineReader lines(text);
  while (lines.Next() && trend.used.size() < kMostSamples) {
    const Cells fields = Fields(lines.Line());
    if (IsFreeHeader(fields)) {
      names = fields;
    } else if (fields.size() >= 7 && fields[0] == "Mem:") {
      unit = UnitOfFree(fields[1]);
      const FreeRow row = ReadFreeRow(names, fields, unit);
      if (!row.used || !row.available) continue;
      trend.used.push_back(*row.used);
      trend.available.push_back(*row.available);
      if (trend.quotes.size() < 64)
        trend.quotes.push_back(Quote(lines.Number(), lines.Line()));
      else
        trend.quotes.back() = Quote(lines.Number(), lines.Line());
    } else if (fields.size() >= 3 && fields[0] == "Swap:") {
      if (const std::optional<double> used = ReadFreeRow(names, fields, unit).used)
        trend.swap_used.push_back(*used);
    }
  }
  if (trend.used.empty()) return std::nullopt;
  return trend;
}

std::optional<EnvironmentReport> ParseCollectEnv(std::string_view text) {
  if (!Holds(text, "CUDA used to build PyTorch")) return std::nullopt;
  EnvironmentReport report;
  LineReader lines(text);
  while (lines.Next()) {
    const std::string_view line = Trim(lines.Line());
    const auto [key, value] = KeyValue(line);
    bool used = true;
    if (key == "PyTorch version") {
      report.framework_version = std::string(value);
    } else if (line.starts_with("PyTorch version ")) {
      report.framework_version = std::string(line.substr(16));
    } else if (key == "CUDA used to build PyTorch") {
      report.cuda_built = std::string(value);
    } else if (key == "Nvidia driver version") {
      report.driver_version = std::string(value);
    } else if (key == "Is CUDA available") {
      report.cuda_available = value == "Yes" || value == "True";
    } else {
      used = false;
    }
    if (used && report.quotes.size() < 8) report.quotes.push_back(Quote(lines.Number(), line));
  }
  return report;
}

std::optional<DeviceListText> ParseDeviceList(std::string_view text) {
  constexpr std::size_t kMostBytes = 65536;
  if (text.size() > kMostBytes) return std::nullopt;
  DeviceListText list;
  std::size_t entries = 0;
  LineReader lines(text);
  while (lines.Next()) {
    const std::vector<std::string_view> fields = Fields(lines.Line());
    if (fields.empty()) continue;
    // "c 195:0 rw": anything else is not a list of devices.
    if (fields.size() != 3 || fields[0].size() != 1 || !Holds("abc", fields[0]) ||
        !Holds(fields[1], ":") || fields[2].find_first_not_of("rwm") != std::string_view::npos) {
      return std::nullopt;
    }
    ++entries;
    // 195 is the major number of the NVIDIA devices. Source: the kernel's devices.txt.
    if (!fields[1].starts_with("195:")) continue;
    list.lists_gpus = true;
    list.may_use_gpus |= Holds(fields[2], "r") && Holds(fields[2], "w");
    if (list.quotes.size() < 8) list.quotes.push_back(Quote(lines.Number(), lines.Line()));
  }
  if (entries == 0) return std::nullopt;
  return list;
}

std::string RecogniseSummaryTool(std::string_view text) {
  struct Row {
    std::string_view words, tool;
  };
  constexpr std::array<Row, 9> kRows = {{{"Slurm Job Statistics", "jobstats"},
                                         {"Overall Utilization", "jobstats"},
                                         {"CPU Efficiency:", "seff"},
                                         {"avg exe (ms)", "nfsiostat"},
                                         {"r_await", "iostat"},
                                         {"---swap--", "vmstat"},
                                         {"%iowait", "mpstat"},
                                         {"primitive calls) in", "cprofile"},
                                         {"load average:", "top"}}};
  constexpr std::size_t kHead = 65536;
  for (const Row& row : kRows) {
    if (Holds(text.substr(0, kHead), row.words)) return std::string(row.tool);
  }
  return {};
}

}  // namespace gpuwhy
