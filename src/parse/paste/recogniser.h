// Recognises pasted outputs by content and reads them. A file may hold several, one after the
// other, with prompts and prose between. The table of formats is explicit: formats.cc.
#pragma once

#include <cstddef>
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
};

/// Formats of NVIDIA and PCI tools.
[[nodiscard]] std::span<const PasteFormat> DeviceFormats();
/// Formats of tools and files that show the host: mpstat, iostat, top, df and their kin.
[[nodiscard]] std::span<const PasteFormat> HostFormats();
/// Formats of training logs, kernel and container messages.
[[nodiscard]] std::span<const PasteFormat> LogFormats();

struct PasteReport {
  std::vector<std::string> formats;  ///< each once, in order of appearance; empty: not recognised
  std::vector<Problem> problems;
};

/// Reads what is recognised in a text. Pure; time is linear in the text for each format. The name
/// is what places are told by.
[[nodiscard]] PasteReport ReadPaste(const std::string& name, std::string_view bytes, Pasted& into);

}  // namespace gpuwhy
