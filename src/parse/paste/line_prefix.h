// What programs that collect output put before each line: time stamps of container runtimes, the
// journal's host and unit, ranks of a launcher.
#pragma once

#include <cstddef>
#include <string_view>

namespace gpuwhy {

enum class LinePrefix : unsigned char {
  kNone,
  kRfc3339,  ///< "2025-03-04T10:11:12.123Z ", with "stderr F " after it or not
  kJournal,  ///< "Mar 04 10:11:12 node unit[42]: ", but not the kernel's own lines
  kRank,     ///< "[rank0]: ", "[default0]:", "0: ", "[1,0]<stdout>:", "(Worker pid=1) "
  kService,  ///< "trainer-1  | "
};

/// Bytes of such a prefix at the start of the line; 0 where it has none.
[[nodiscard]] std::size_t PrefixLength(LinePrefix prefix, std::string_view line);

}  // namespace gpuwhy
