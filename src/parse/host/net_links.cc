// Network links: ethtool's settings and ibdev2netdev.
#include <algorithm>
#include <string>

#include "base/text.h"
#include "parse/host/host_readers.h"
#include "parse/host/host_table.h"

namespace gpuwhy {
namespace {

using F = HostField;
constexpr double kMega = 1e6;

/// "Settings for eth0:": the interface; empty for other lines.
std::string_view InterfaceOf(std::string_view line) {
  constexpr std::string_view kWords = "Settings for ";
  std::string_view text = Trim(line);
  if (!text.starts_with(kWords) || !text.ends_with(':')) return {};
  text.remove_prefix(kWords.size());
  text.remove_suffix(1);
  return text.size() <= 64 ? text : std::string_view();
}

/// The fastest of the modes that a line lists, bits per second: "1000baseT/Full  25000baseCR/Full".
double FastestMode(std::string_view text) {
  double most = 0;
  for (const std::string_view word : Fields(text)) {
    const std::size_t base = word.find("base");
    if (base == std::string_view::npos || base == 0) continue;
    const std::optional<double> speed = HostNumber(word.substr(0, base));
    if (speed) most = std::max(most, *speed * kMega);
  }
  return most;
}

/// What the list of modes that is being read belongs to.
enum class Modes : unsigned char { kNone, kSupported, kAdvertised, kPeer };

Modes ModesOf(std::string_view key) {
  if (key == "Supported link modes") return Modes::kSupported;
  if (key == "Advertised link modes") return Modes::kAdvertised;
  if (key == "Link partner advertised link modes") return Modes::kPeer;
  return Modes::kNone;
}

class Settings {
 public:
  explicit Settings(HostRow& row) : row_(row) {}

  void Take(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      Note(FastestMode(line));  // the list goes on
      return;
    }
    const std::string_view key = Trim(line.substr(0, colon));
    const std::string_view value = Trim(line.substr(colon + 1));
    modes_ = ModesOf(key);
    Note(FastestMode(value));
    if (key == "Speed" && value.ends_with("Mb/s")) {
      const std::optional<double> speed = HostNumber(value.substr(0, value.size() - 4));
      if (speed) row_.Set(F::kSpeed, *speed * kMega);
    }
    if (key == "Duplex") row_.Set(F::kDuplex, std::string(value.substr(0, 32)));
    if (key == "Link detected") row_.Set(F::kUp, value.starts_with("yes") ? 1.0 : 0.0);
  }
  void Finish() {
    // What it was told not to offer is no fault of the link.
    const double able = advertised_ > 0 ? advertised_ : supported_;
    if (able > 0) row_.Set(F::kSpeedAble, able);
    if (peer_ > 0) row_.Set(F::kSpeedOfPeer, peer_);
  }

 private:
  void Note(double speed) {
    if (modes_ == Modes::kSupported) supported_ = std::max(supported_, speed);
    if (modes_ == Modes::kAdvertised) advertised_ = std::max(advertised_, speed);
    if (modes_ == Modes::kPeer) peer_ = std::max(peer_, speed);
  }
  HostRow& row_;
  Modes modes_ = Modes::kNone;
  double supported_ = 0, advertised_ = 0, peer_ = 0;
};

struct NetDevice {
  std::string_view device, name;
  bool up = false;
};

/// "mlx5_0 port 1 ==> ib0 (Up)"; with -v more stands before the port.
std::optional<NetDevice> NetDeviceOf(std::string_view line) {
  if (!Holds(line, "==>")) return std::nullopt;
  const Cells cells = Fields(line);
  const std::size_t arrow = IndexOf(cells, "==>");
  const std::size_t port = IndexOf(cells, "port");
  if (arrow + 2 >= cells.size() || port == 0 || port >= arrow) return std::nullopt;
  const auto device = std::find_if(cells.begin(), cells.end(), [](std::string_view cell) {
    return Holds(cell, "_") && !Holds(cell, "(");
  });
  const std::string_view state = cells[arrow + 2];
  if (device == cells.end() || (state != "(Up)" && state != "(Down)")) return std::nullopt;
  return NetDevice{*device, cells[arrow + 1], state == "(Up)"};
}

}  // namespace

std::optional<Match> RecogniseEthtool(const Section& section, std::size_t from) {
  constexpr std::size_t kLongest = 120;
  for (std::size_t first = from; first < section.size(); ++first) {
    if (InterfaceOf(section[first]).empty()) continue;
    std::size_t end = first + 1;
    const std::size_t last = std::min(section.NextPrompt(first + 1), first + kLongest);
    while (end < last && InterfaceOf(section[end]).empty() && !Trim(section[end]).empty()) ++end;
    return Match{first, end, 82};
  }
  return std::nullopt;
}

void ReadEthtool(const Section& section, const Match& match, Pasted& into,
                 std::vector<Problem>& /*problems*/) {
  if (into.host.size() >= kMostHostRows) return;
  HostRow row = StartHostRow(section, match.first, HostTable::kLink, "ethtool");
  row.name = std::string(InterfaceOf(section[match.first]));
  Settings settings(row);
  for (std::size_t i = match.first + 1; i < match.end; ++i) {
    settings.Take(section[i]);
    const std::string_view text = Trim(section[i]);
    if (!text.starts_with("Speed:")) continue;
    row.line = section.Number(i);
    row.text = row.name + ": " + std::string(text.substr(0, 100));
  }
  settings.Finish();
  if (!row.values.empty()) into.host.push_back(std::move(row));
}

std::optional<Match> RecogniseIbdev(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && !NetDeviceOf(section[first])) ++first;
  if (first == section.size()) return std::nullopt;
  std::size_t end = first + 1;
  while (end < section.size() && NetDeviceOf(section[end])) ++end;
  return Match{first, end, 82};
}

void ReadIbdev(const Section& section, const Match& match, Pasted& into,
               std::vector<Problem>& /*problems*/) {
  for (std::size_t i = match.first; i < match.end && into.host.size() < kMostHostRows; ++i) {
    const std::optional<NetDevice> seen = NetDeviceOf(section[i]);
    if (!seen) continue;
    HostRow row = StartHostRow(section, i, HostTable::kLink, "ibdev2netdev");
    row.name = std::string(seen->name);
    row.Set(F::kDevice, std::string(seen->device));
    row.Set(F::kUp, seen->up ? 1.0 : 0.0);
    into.host.push_back(std::move(row));
  }
}

}  // namespace gpuwhy
