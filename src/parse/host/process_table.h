// Tables of processes, as top and ps print them: any choice of columns, the command last.
#pragma once

#include <string_view>

#include "parse/host/host_table.h"

namespace gpuwhy {

/// The names of the columns where the line is the header of a process table; empty for others.
[[nodiscard]] Cells ProcessHeader(std::string_view line);
/// top's own columns (PR, NI, VIRT, TIME+) stand in it.
[[nodiscard]] bool IsTopHeader(const Cells& names);
/// A row with its pid as name; false: the line is none. threads: the pid column counts threads.
[[nodiscard]] bool ReadProcessRow(const Section& section, std::size_t at, const Cells& names,
                                  bool threads, HostRow& row);

}  // namespace gpuwhy
