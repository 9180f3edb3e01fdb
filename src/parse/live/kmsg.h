// Records of the kernel's log as /dev/kmsg gives them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuwhy {

struct KmsgRecord {
  std::uint64_t sequence = 0;
  std::uint64_t microseconds = 0;  ///< after boot, by the kernel's own clock
  std::string text;                ///< escapes (\\x0a) as they stand there
  friend bool operator==(const KmsgRecord&, const KmsgRecord&) = default;
};

/// Pure. Whole records in their order; lines that are none, and the properties that may follow a
/// record, are left out.
[[nodiscard]] std::vector<KmsgRecord> ParseKmsg(std::string_view bytes);

/// May the text tell of GPUs, links, memory, storage or the network? Most of a kernel's log does
/// not, and is not kept.
[[nodiscard]] bool MayTellOfFaults(std::string_view text);

/// "[   12.345678] text": as dmesg prints it.
[[nodiscard]] std::string AsPrinted(const KmsgRecord& record);

}  // namespace gpuwhy
