#include "parse/live/kmsg.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/text.h"

namespace gpuwhy {
namespace {

// Longer lines tell nothing more to those who read them.
constexpr std::size_t kLongestText = 1000;
// Three centuries: what is later would not fit a time in nanoseconds.
constexpr std::uint64_t kMostMicroseconds = 9'000'000'000'000'000;

// Parts of the messages that the readers of pasted kernel logs know, and of their neighbours.
constexpr std::string_view kWords[] = {
    "NVRM",        "Xid",         "nvidia",      "NVIDIA",        "nouveau",
    "PCIe Bus",    "pcieport",    "AER:",        "PCIe bandw",    "fallen off",
    "Out of mem",  "oom-kill",    "oom_reaper",  "Killed proc",   "blocked for more than",
    "nfs",         "NFS",         "not respond", "I/O error",     "Buffer I/O",
    "nvme",        "mlx5",        "segfault",    "Hardware Err",  "Memory failure",
    "page alloca", "soft lockup", "thermal",     "key was rejec", "invoked oom"};

}  // namespace

std::vector<KmsgRecord> ParseKmsg(std::string_view bytes) {
  std::vector<KmsgRecord> records;
  while (!bytes.empty()) {
    const bool whole = bytes.find('\n') != std::string_view::npos;
    const std::string_view line = NextLine(bytes);
    const std::size_t semicolon = line.find(';');
    // A property (" SUBSYSTEM=pci") begins with a blank.
    if (!whole || line.starts_with(' ') || semicolon == std::string_view::npos) continue;
    std::string_view head = line.substr(0, semicolon);
    const std::optional<std::uint32_t> priority = ParseNumber<std::uint32_t>(NextToken(head, ','));
    const std::optional<std::uint64_t> sequence = ParseNumber<std::uint64_t>(NextToken(head, ','));
    const std::optional<std::uint64_t> time = ParseNumber<std::uint64_t>(NextToken(head, ','));
    if (!priority || !sequence || !time || *time > kMostMicroseconds) continue;
    records.push_back({*sequence, *time, std::string(line.substr(semicolon + 1, kLongestText))});
  }
  return records;
}

bool MayTellOfFaults(std::string_view text) {
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [text](std::string_view word) { return Holds(text, word); });
}

std::string AsPrinted(const KmsgRecord& record) {
  constexpr std::uint64_t kMillion = 1'000'000;
  return fmt::format("[{:5}.{:06}] {}", record.microseconds / kMillion,
                     record.microseconds % kMillion, record.text);
}

}  // namespace gpuwhy
