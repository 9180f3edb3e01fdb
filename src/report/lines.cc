#include "report/lines.h"

#include <algorithm>

#include "base/text.h"

namespace gpuwhy {

std::size_t Columns(std::string_view text) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues));
}

std::string PadRight(std::string_view text, std::size_t columns) {
  std::string padded(text);
  padded.append(columns - std::min(columns, Columns(text)), ' ');
  return padded;
}

std::string PadLeft(std::string_view text, std::size_t columns) {
  std::string padded(columns - std::min(columns, Columns(text)), ' ');
  padded += text;
  return padded;
}

std::vector<std::string> Wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  do {
    std::string_view paragraph = NextLine(text);
    std::string line;
    for (const std::string_view word : Fields(paragraph)) {
      if (!line.empty() && Columns(line) + 1 + Columns(word) > width) {
        lines.push_back(std::move(line));
        line.clear();
      }
      if (!line.empty()) line += ' ';
      line += word;
    }
    lines.push_back(std::move(line));
  } while (!text.empty());
  return lines;
}

std::string PrintableLines(std::string_view text) {
  std::string out;
  bool first = true;
  while (!text.empty()) {
    if (!first) out += '\n';
    first = false;
    out += Printable(NextToken(text, '\n'));
  }
  return out;
}

}  // namespace gpuwhy
