// A format of pasted outputs: how it is recognised by content, and read. The table of formats is
// explicit: device_formats.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/pasted.h"
#include "parse/paste/section.h"

namespace gpuwhy {

/// Lines [first, end) of a section, as indices, that a format takes for its own.
struct Match {
  std::size_t first = 0, end = 0;
  int score = 0;  ///< 1..100; where two overlap, the higher one gets the lines
};

/// Something in an input that could not be used.
struct Problem {
  std::uint32_t line = 0;  ///< in the file; 0: of the whole input
  std::string text;        ///< translated
};

struct PasteFormat {
  /// "nvidia-smi", "lspci": what an input is said to be; empty: what is read only helps to judge
  /// other inputs, and this one counts as not recognised by it.
  std::string_view name;
  /// The first match at or after line index `from`; its end is greater than `from`.
  std::optional<Match> (*recognise)(const Section& section, std::size_t from);
  void (*read)(const Section& section, const Match& match, Pasted& into,
               std::vector<Problem>& problems);
  /// Single lines that may lie inside of any other output (kernel messages, error texts): they
  /// never take lines away from another format, nor lose them.
  bool shares_lines = false;
  /// Sign: without one of them nothing is recognised, and the text is not searched; 0: it always
  /// is.
  std::uint32_t signs = 0;
  /// Lines at the beginning of an output without which its later lines can't be read.
  std::size_t head_lines = 0;
};

/// Formats of NVIDIA and PCI tools.
[[nodiscard]] std::span<const PasteFormat> DeviceFormats();
/// Formats of tools and files that show the host: mpstat, iostat, top, df and their kin.
[[nodiscard]] std::span<const PasteFormat> HostFormats();

}  // namespace gpuwhy
