// The readers of host tools and files, one file each: the two functions of PasteFormat.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "parse/paste/recogniser.h"

namespace gpuwhy {

/// mpstat of any version, with or without -P ALL, and sar -u.
[[nodiscard]] std::optional<Match> RecogniseMpstat(const Section& section, std::size_t from);
void ReadMpstat(const Section& section, const Match& match, Pasted& into,
                std::vector<Problem>& problems);
/// iostat with and without -x, from sysstat 9 on.
[[nodiscard]] std::optional<Match> RecogniseIostat(const Section& section, std::size_t from);
void ReadIostat(const Section& section, const Match& match, Pasted& into,
                std::vector<Problem>& problems);
/// iostat and mpstat with -o JSON.
[[nodiscard]] std::optional<Match> RecogniseSysstatJson(const Section& section, std::size_t from);
void ReadSysstatJson(const Section& section, const Match& match, Pasted& into,
                     std::vector<Problem>& problems);
[[nodiscard]] std::optional<Match> RecogniseVmstat(const Section& section, std::size_t from);
void ReadVmstat(const Section& section, const Match& match, Pasted& into,
                std::vector<Problem>& problems);

}  // namespace gpuwhy
