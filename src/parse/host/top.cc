#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"
#include "parse/host/host_readers.h"
#include "parse/host/process_table.h"

namespace gpuwhy {
namespace {

using F = HostField;

struct Label {
  std::string_view name;
  HostField field;
};
constexpr std::array<Label, 8> kShares = {{{"us", F::kUser},
                                           {"sy", F::kSystem},
                                           {"ni", F::kNice},
                                           {"id", F::kIdle},
                                           {"wa", F::kIowait},
                                           {"hi", F::kIrq},
                                           {"si", F::kSoftirq},
                                           {"st", F::kSteal}}};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// The next number at or after `at` and the word behind it: "0.3 sy," "0.0%st", "ni,100,0 id".
struct Labelled {
  double value = 0;
  std::string_view label;
};
std::optional<Labelled> NextLabelled(std::string_view text, std::size_t& at) {
  while (at < text.size() && !IsDigit(text[at])) ++at;
  if (at == text.size()) return std::nullopt;
  const std::size_t start = at;
  while (at < text.size() && IsDigit(text[at])) ++at;
  const bool fraction =
      at + 1 < text.size() && (text[at] == '.' || text[at] == ',') && IsDigit(text[at + 1]);
  if (fraction) {
    ++at;
    while (at < text.size() && IsDigit(text[at])) ++at;
  }
  const std::optional<double> value = HostNumber(text.substr(start, at - start));
  while (at < text.size() && (text[at] == '%' || text[at] == ' ' || text[at] == 'k')) ++at;
  const std::size_t word = at;
  while (at < text.size() && text[at] >= 'a' && text[at] <= 'z') ++at;
  if (!value) return Labelled{};
  return Labelled{*value, text.substr(word, at - word)};
}

bool IsFirstLine(std::string_view line) {
  return Holds(line, "load average:") && Trim(line).starts_with("top - ");
}

/// "%Cpu(s):", "Cpu(s):", "%Cpu12 :", "Cpu0  :"; what stands before the colon, else empty.
std::string_view CpuLineName(std::string_view line) {
  std::string_view text = Trim(line);
  if (text.starts_with('%')) text.remove_prefix(1);
  if (!text.starts_with("Cpu")) return {};
  const std::size_t colon = text.find(':');
  return colon == std::string_view::npos ? std::string_view() : Trim(text.substr(0, colon));
}

/// Bytes of the unit that a memory line names; 0: it is none.
double MemoryUnit(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 5> kUnits = {{{"KiB ", kKibi},
                                                                          {"MiB ", kMebi},
                                                                          {"GiB ", kMebi * kKibi},
                                                                          {"Mem:", kKibi},
                                                                          {"Swap:", kKibi}}};
  for (const auto& [start, unit] : kUnits) {
    if (text.starts_with(start) && (Holds(text, "Mem") || Holds(text, "Swap"))) return unit;
  }
  return 0;
}

bool IsSummary(std::string_view line) {
  const std::string_view text = Trim(line);
  return text.empty() || IsFirstLine(text) || !CpuLineName(text).empty() || MemoryUnit(text) > 0 ||
         text.starts_with("Tasks:") || text.starts_with("Threads:");
}

class Screens {
 public:
  Screens(const Section& section, Pasted& into) : section_(section), into_(into) {}

  void Take(std::size_t at) {
    const std::string_view line = Trim(section_[at]);
    if (IsFirstLine(line)) {
      ++screen_;
      TakeLoad(at, line);
    } else if (line.starts_with("Threads:")) {
      threads_ = true;
    } else if (!CpuLineName(line).empty()) {
      TakeCpu(at, line);
    } else if (MemoryUnit(line) > 0) {
      TakeMemory(at, line);
    } else if (Cells names = ProcessHeader(line); !names.empty()) {
      names_ = std::move(names);
    } else if (HostRow row; ReadProcessRow(section_, at, names_, threads_, row)) {
      Keep(std::move(row));
    }
  }
  [[nodiscard]] std::uint32_t Count() const { return screen_; }

 private:
  void Keep(HostRow row) {
    row.sample = screen_ == 0 ? 0 : screen_ - 1;
    if (into_.host.size() < kMostHostRows) into_.host.push_back(std::move(row));
  }
  void TakeLoad(std::size_t at, std::string_view line) {
    constexpr std::string_view kWords = "load average:";
    const Cells cells = Fields(line.substr(line.find(kWords) + kWords.size()));
    if (cells.empty()) return;
    std::string_view minute = cells[0];
    if (minute.ends_with(',')) minute.remove_suffix(1);
    const std::optional<double> load = HostNumber(minute);
    if (!load) return;
    HostRow row = StartHostRow(section_, at, HostTable::kMachine, "top");
    row.Set(F::kLoad, *load);
    Keep(std::move(row));
  }
  void TakeCpu(std::size_t at, std::string_view line) {
    HostRow row = StartHostRow(section_, at, HostTable::kCpu, "top");
    const std::string_view name = CpuLineName(line);
    row.name = name == "Cpu(s)" ? "all" : std::string(name.substr(3));
    std::size_t next = line.find(':');
    while (const std::optional<Labelled> one = NextLabelled(line, next)) {
      const auto* const known =
          std::find_if(kShares.begin(), kShares.end(),
                       [&](const Label& label) { return label.name == one->label; });
      if (known != kShares.end()) row.Set(known->field, one->value * kPercent);
    }
    if (!row.values.empty()) Keep(std::move(row));
  }
  void TakeMemory(std::size_t at, std::string_view line) {
    const double unit = MemoryUnit(line);
    const bool swap = Holds(line, "Swap");
    HostRow row = StartHostRow(section_, at, HostTable::kMemory, swap ? "top swap" : "top");
    std::size_t next = 0;
    while (const std::optional<Labelled> one = NextLabelled(line, next)) {
      const double bytes = one->value * unit;
      if (one->label == "total") row.Set(swap ? F::kSwapTotal : F::kMemTotal, bytes);
      if (one->label == "free" && !swap) row.Set(F::kMemFree, bytes);
      if (one->label == "used" && swap) row.Set(F::kSwapUsed, bytes);
      if (one->label == "avail") row.Set(F::kMemAvailable, bytes);
    }
    if (!row.values.empty()) Keep(std::move(row));
  }

  const Section& section_;
  Pasted& into_;
  Cells names_;
  bool threads_ = false;
  std::uint32_t screen_ = 0;
};

bool StartsTop(std::string_view line) {
  if (IsFirstLine(line)) return true;
  const Cells names = ProcessHeader(line);
  return !names.empty() && IsTopHeader(names);
}

}  // namespace

std::optional<Match> RecogniseTop(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && !StartsTop(section[first])) ++first;
  if (first == section.size()) return std::nullopt;
  Cells names;
  std::size_t end = first + 1;
  HostRow row;
  for (std::size_t i = first; i < section.size(); ++i) {
    if (Cells header = ProcessHeader(section[i]); IsTopHeader(header)) {
      names = std::move(header);
    } else if (!IsSummary(section[i]) && !ReadProcessRow(section, i, names, false, row)) {
      break;
    }
    if (!Trim(section[i]).empty()) end = i + 1;
  }
  return Match{first, end, 84};
}

void ReadTop(const Section& section, const Match& match, Pasted& into,
             std::vector<Problem>& /*problems*/) {
  const std::size_t before = into.host.size();
  Screens screens(section, into);
  for (std::size_t i = match.first; i < match.end; ++i) screens.Take(i);
  // The first screen of a series is of the time since boot, or since each process started. A
  // single one may be any.
  for (std::size_t i = before; i < into.host.size(); ++i) {
    HostRow& row = into.host[i];
    if (row.table == HostTable::kMemory || row.table == HostTable::kMachine) continue;
    if (screens.Count() > 1)
      row.span = row.sample == 0 ? ReportSpan::kSinceStart : ReportSpan::kInterval;
  }
}

}  // namespace gpuwhy
