// Reads host texts for tests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "parse/paste/paste_reader.h"

namespace gpuwhy {

struct HostRead {
  Pasted pasted;
  PasteReport report;

  [[nodiscard]] bool Named(std::string_view format) const {
    return std::count(report.formats.begin(), report.formats.end(), format) == 1;
  }
  /// nullptr where there is none.
  [[nodiscard]] const HostRow* Find(HostTable table, std::string_view name,
                                    std::uint32_t sample) const {
    for (const HostRow& row : pasted.host) {
      if (row.table == table && row.name == name && row.sample == sample &&
          row.span != ReportSpan::kAverage)
        return &row;
    }
    return nullptr;
  }
  [[nodiscard]] std::size_t Count(HostTable table, ReportSpan span) const {
    return static_cast<std::size_t>(
        std::count_if(pasted.host.begin(), pasted.host.end(),
                      [&](const HostRow& row) { return row.table == table && row.span == span; }));
  }
};

inline HostRead ReadHost(const std::string& text) {
  HostRead read;
  read.report = ReadPaste("host.txt", text, read.pasted);
  return read;
}

/// A file of fuzz/seeds/paste. Defined in sysstat_test.cc: only tests and the edge read files.
[[nodiscard]] std::string HostSeed(const std::string& name);

}  // namespace gpuwhy
