#include "derive/contradictions.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/i18n.h"
#include "base/text.h"

namespace gpuwhy {
namespace {

/// What a file says, and where.
struct Said {
  std::string file, value, text;
  std::uint32_t line = 0;
};

std::string Where(const Said& said) {
  return Printable(said.file) + ":" + std::to_string(said.line);
}

/// The first two that differ and are not of one file.
std::optional<std::pair<Said, Said>> Differing(const std::vector<Said>& all) {
  for (const Said& one : all) {
    for (const Said& other : all) {
      if (one.file != other.file && one.value != other.value) return std::pair{one, other};
    }
  }
  return std::nullopt;
}

const std::string* TextOf(const GpuLook& look, GpuField field, std::uint32_t& line) {
  for (const GpuValue& value : look.values) {
    if (value.field != field || !value.value) continue;
    line = value.line;
    return std::get_if<std::string>(&*value.value);
  }
  return nullptr;
}

/// Each value of a file once.
void AddOnce(std::vector<Said>& all, Said said) {
  const bool known = std::any_of(all.begin(), all.end(), [&](const Said& other) {
    return other.file == said.file && other.value == said.value;
  });
  constexpr std::size_t kMost = 256;
  if (!known && !said.value.empty() && all.size() < kMost) all.push_back(std::move(said));
}

void NoteDrivers(const Capture& capture, FactSet& facts) {
  std::vector<Said> drivers;
  for (const GpuLook& look : capture.pasted.gpus) {
    std::uint32_t line = 0;
    if (const std::string* driver = TextOf(look, GpuField::kDriver, line))
      AddOnce(drivers, {look.file, *driver, *driver, line});
  }
  for (const LogText& log : capture.pasted.logs.texts) {
    if (!log.environment || log.environment->driver_version.find('.') == std::string::npos)
      continue;
    const std::string& driver = log.environment->driver_version;
    const std::uint32_t line =
        log.environment->quotes.empty() ? 1 : log.environment->quotes.front().line;
    AddOnce(drivers, {log.name, driver, driver, line});
  }
  const std::optional<std::pair<Said, Said>> two = Differing(drivers);
  if (!two) return;
  facts.blinds.push_back(
      {_("whether these outputs are of one host at one time"),
       Format(_("{} has driver {}, {} has driver {}: two hosts, or before and after an update"),
              Where(two->first), Printable(two->first.text), Where(two->second),
              Printable(two->second.text)),
       _("hand in outputs of one host that were taken together"),
       {}});
}

void NoteBoards(const Capture& capture, FactSet& facts) {
  std::vector<std::string> addresses;
  for (const GpuLook& look : capture.pasted.gpus) {
    if (look.mig || look.uuid.empty() || look.bus_id.empty()) continue;
    const std::string address = CanonicalBusId(look.bus_id);
    if (std::find(addresses.begin(), addresses.end(), address) == addresses.end())
      addresses.push_back(address);
  }
  constexpr std::size_t kMostAddresses = 64;
  if (addresses.size() > kMostAddresses) return;
  for (const std::string& address : addresses) {
    std::vector<Said> boards;
    for (const GpuLook& look : capture.pasted.gpus) {
      if (!look.mig && !look.uuid.empty() && CanonicalBusId(look.bus_id) == address)
        AddOnce(boards, {look.file, look.uuid, look.uuid, look.line});
    }
    const std::optional<std::pair<Said, Said>> two = Differing(boards);
    if (!two) continue;
    facts.blinds.push_back({_("whether these outputs are of one host"),
                            Format(_("at {} is {} in {}, and {} in {}"), Printable(address),
                                   Printable(two->first.text), Where(two->first),
                                   Printable(two->second.text), Where(two->second)),
                            _("hand in the outputs of each host by themselves"),
                            {}});
    return;
  }
}

/// Days since the epoch of "Tue Feb  3 10:11:12 2026".
std::optional<long> DayOf(std::string_view stamp) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const std::vector<std::string_view> words = Fields(stamp);
  if (words.size() != 5 || words[1].size() != 3) return std::nullopt;
  const std::size_t month = kMonths.find(words[1]);
  const std::optional<unsigned> day = ParseNumber<unsigned>(words[2]);
  const std::optional<int> year = ParseNumber<int>(words[4]);
  if (month == std::string_view::npos || month % 3 != 0 || !day || !year) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(month / 3 + 1)),
                                         std::chrono::day(*day)};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

void NoteTimes(const Capture& capture, FactSet& facts) {
  std::vector<Said> stamps;
  for (const GpuLook& look : capture.pasted.gpus) {
    std::uint32_t line = 0;
    const std::string* stamp = TextOf(look, GpuField::kTimestamp, line);
    if (stamp == nullptr) continue;
    if (const std::optional<long> day = DayOf(*stamp))
      AddOnce(stamps, {look.file, std::to_string(*day), *stamp, line});
  }
  // Over midnight two outputs of one look may have two dates.
  const auto apart = [](const Said& a, const Said& b) {
    return std::labs(std::strtol(a.value.c_str(), nullptr, 10) -
                     std::strtol(b.value.c_str(), nullptr, 10)) > 1;
  };
  for (const Said& one : stamps) {
    for (const Said& other : stamps) {
      if (one.file == other.file || !apart(one, other)) continue;
      facts.blinds.push_back(
          {_("what the GPUs did at one time"),
           Format(_("{} is of {}, {} is of {}: their figures don't belong together"), Where(one),
                  Printable(one.text), Where(other), Printable(other.text)),
           _("hand in outputs that were taken together"),
           {}});
      return;
    }
  }
}

}  // namespace

void NoteContradictions(const Capture& capture, FactSet& facts) {
  NoteDrivers(capture, facts);
  NoteBoards(capture, facts);
  NoteTimes(capture, facts);
}

}  // namespace gpuwhy
