// What the host is made of: lscpu, numactl -H, and the first line of sysstat's tools.
#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"
#include "parse/host/host_readers.h"
#include "parse/host/host_table.h"

namespace gpuwhy {
namespace {

using F = HostField;
constexpr std::size_t kLongestList = 400;

struct KeyValue {
  std::string_view key, value;
};

KeyValue PairOf(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  return {Trim(line.substr(0, colon)), Trim(line.substr(colon + 1))};
}

constexpr std::array<HostColumn, 5> kLscpu = {{{"CPU(s)", F::kCpus},
                                               {"Socket(s)", F::kSockets},
                                               {"NUMA node(s)", F::kNodes},
                                               {"CPU MHz", F::kMhz},
                                               {"CPU max MHz", F::kMhzMax}}};

bool IsLscpuStart(std::string_view line) {
  const KeyValue pair = PairOf(line);
  return (pair.key == "CPU(s)" && ParseNumber<int>(pair.value)) ||
         (pair.key == "Architecture" && !pair.value.empty());
}

/// "NUMA node3 CPU(s)": its number; empty for other keys.
std::string_view NodeOfKey(std::string_view key) {
  if (!key.starts_with("NUMA node") || !key.ends_with(" CPU(s)")) return {};
  const std::string_view number = key.substr(9, key.size() - 16);
  return ParseNumber<int>(number) ? number : std::string_view();
}

struct NodeLine {
  std::string_view node, what, value;
};

/// "node 0 cpus: 0 1 2", "node 1 free: 1204 MB".
std::optional<NodeLine> NodeLineOf(std::string_view line) {
  const KeyValue pair = PairOf(line);
  const Cells words = Fields(pair.key);
  if (words.size() != 3 || words[0] != "node" || !ParseNumber<int>(words[1])) return std::nullopt;
  if (words[2] != "cpus" && words[2] != "size" && words[2] != "free") return std::nullopt;
  return NodeLine{words[1], words[2], pair.value};
}

/// "available: 2 nodes (0-1)".
std::optional<double> NodesAvailable(std::string_view line) {
  const KeyValue pair = PairOf(line);
  const Cells words = Fields(pair.value);
  if (pair.key != "available" || words.size() < 2 || !words[1].starts_with("node"))
    return std::nullopt;
  return HostNumber(words[0]);
}

HostRow& RowOfNode(const Section& section, std::size_t at, std::string_view node,
                   std::string_view tool, std::size_t since, Pasted& into) {
  // No host has as many nodes; the last one then takes what follows.
  constexpr std::size_t kMostNodes = 1024;
  for (std::size_t i = since; i < into.host.size(); ++i) {
    if (i == since + kMostNodes) return into.host[i];
    if (into.host[i].table == HostTable::kNumaNode && into.host[i].name == node)
      return into.host[i];
  }
  into.host.push_back(StartHostRow(section, at, HostTable::kNumaNode, tool));
  into.host.back().name = std::string(node);
  return into.host.back();
}

/// "Linux 6.1.0 (node17) ... (16 CPU)".
std::optional<double> CpusOfBanner(std::string_view line) {
  if (!line.starts_with("Linux ") || !Trim(line).ends_with(" CPU)")) return std::nullopt;
  const std::size_t open = line.rfind('(');
  if (open == std::string_view::npos) return std::nullopt;
  const Cells words = Fields(line.substr(open + 1));
  return words.size() == 2 ? HostNumber(words[0]) : std::nullopt;
}

}  // namespace

std::optional<Match> RecogniseLscpu(const Section& section, std::size_t from) {
  constexpr std::size_t kLook = 60;
  for (std::size_t first = from; first < section.size(); ++first) {
    if (!Holds(section[first], "CPU(s)") && !Holds(section[first], "Architecture")) continue;
    if (!IsLscpuStart(section[first])) continue;
    std::size_t end = first + 1;
    bool sure = false;
    for (; end < section.size() && end < first + kLook; ++end) {
      const KeyValue pair = PairOf(section[end]);
      if (pair.key.empty()) break;
      sure = sure || pair.key == "Thread(s) per core" || pair.key == "Socket(s)";
    }
    if (sure) return Match{first, end, 75};
  }
  return std::nullopt;
}

void ReadLscpu(const Section& section, const Match& match, Pasted& into,
               std::vector<Problem>& /*problems*/) {
  if (into.host.size() >= kMostHostRows) return;
  const std::size_t before = into.host.size();
  into.host.push_back(StartHostRow(section, match.first, HostTable::kMachine, "lscpu"));
  for (std::size_t i = match.first; i < match.end; ++i) {
    const KeyValue pair = PairOf(section[i]);
    HostRow& machine = into.host[before];
    for (const HostColumn& column : kLscpu) {
      const std::optional<double> number = HostNumber(pair.value);
      if (column.name != pair.key || !number) continue;
      machine.Set(column.field, *number);
      if (column.field == F::kCpus) machine.line = section.Number(i);
    }
    if (pair.key == "Hypervisor vendor") machine.Set(F::kHypervisor, std::string(pair.value));
    if (const std::string_view node = NodeOfKey(pair.key); !node.empty())
      RowOfNode(section, i, node, "lscpu", before, into)
          .Set(F::kCpuList, std::string(pair.value.substr(0, kLongestList)));
  }
}

std::optional<Match> RecogniseNumactl(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && !NodesAvailable(section[first]) && !NodeLineOf(section[first]))
    ++first;
  if (first == section.size()) return std::nullopt;
  std::size_t end = first + 1;
  while (end < section.size() && NodeLineOf(section[end])) ++end;
  return Match{first, end, 80};
}

void ReadNumactl(const Section& section, const Match& match, Pasted& into,
                 std::vector<Problem>& /*problems*/) {
  const std::size_t before = into.host.size();
  for (std::size_t i = match.first; i < match.end && into.host.size() < kMostHostRows; ++i) {
    if (const std::optional<double> nodes = NodesAvailable(section[i])) {
      HostRow machine = StartHostRow(section, i, HostTable::kMachine, "numactl");
      machine.Set(F::kNodes, *nodes);
      into.host.push_back(std::move(machine));
    }
    const std::optional<NodeLine> line = NodeLineOf(section[i]);
    if (!line) continue;
    HostRow& row = RowOfNode(section, i, line->node, "numactl", before, into);
    if (line->what == "cpus")
      row.Set(F::kCpuList, std::string(line->value.substr(0, kLongestList)));
    const Cells words = Fields(line->value);
    const std::optional<double> size = words.empty() ? std::nullopt : HostNumber(words[0]);
    if (line->what != "cpus" && size)
      row.Set(line->what == "size" ? F::kSize : F::kAvailable, *size * kMebi);
  }
}

std::optional<Match> RecogniseBanner(const Section& section, std::size_t from) {
  for (std::size_t i = from; i < section.size(); ++i) {
    if (CpusOfBanner(section[i])) return Match{i, i + 1, 10};
  }
  return std::nullopt;
}

void ReadBanner(const Section& section, const Match& match, Pasted& into,
                std::vector<Problem>& /*problems*/) {
  const std::optional<double> cpus = CpusOfBanner(section[match.first]);
  if (!cpus || into.host.size() >= kMostHostRows) return;
  HostRow row = StartHostRow(section, match.first, HostTable::kMachine, "sysstat");
  row.Set(F::kCpus, *cpus);
  into.host.push_back(std::move(row));
}

}  // namespace gpuwhy
