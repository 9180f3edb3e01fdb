#include "report/page.h"

#include <algorithm>

#include "base/text.h"
#include "report/lines.h"

namespace gpuwhy {
namespace {

// Narrower pages would put one word on a line; below this the terminal wraps.
constexpr std::size_t kMinWidth = 40;

std::string_view Start(Ink ink) {
  switch (ink) {
    case Ink::kPlain:
      return "";
    case Ink::kBold:
      return "\x1b[1m";
    case Ink::kRed:
      return "\x1b[1;31m";
    case Ink::kGreen:
      return "\x1b[1;32m";
  }
  return "";
}

}  // namespace

Page::Page(bool color, int width)
    : color_(color), width_(std::max(kMinWidth, static_cast<std::size_t>(std::max(width, 0)))) {}

void Page::Heading(std::string_view text) {
  text_ += '\n';
  Line(text, Ink::kBold);
}

void Page::Line(std::string_view text, Ink ink) {
  const bool inked = color_ && ink != Ink::kPlain;
  if (inked) text_ += Start(ink);
  text_ += Printable(text);
  if (inked) text_ += "\x1b[0m";
  text_ += '\n';
}

void Page::Paragraph(std::string_view text, std::size_t indent, std::size_t hanging) {
  std::size_t margin = indent;
  for (const std::string& line : Wrap(Printable(text), Room(indent + hanging))) {
    text_ += std::string(margin, ' ') + line + '\n';
    margin = indent + hanging;
  }
}

void Page::Prose(std::string_view text, std::size_t indent) {
  do {
    Paragraph(NextToken(text, '\n'), indent);
  } while (!text.empty());
}

void Page::Command(std::string_view text, std::size_t indent) {
  do {
    text_ += std::string(indent, ' ') + Printable(NextToken(text, '\n')) + '\n';
  } while (!text.empty());
}

void Page::Table(const std::vector<std::pair<std::string, std::string>>& rows, std::size_t indent) {
  std::size_t first = 0;
  for (const auto& [left, right] : rows) first = std::max(first, Columns(Printable(left)));
  first = std::min(first, width_ / 3);
  const std::size_t second = indent + first + 2;
  for (const auto& [left, right] : rows) {
    const std::string value = Printable(left);
    // A value that is wider than its column gets the line to itself.
    bool starts_line = Columns(value) > first;
    text_ += std::string(indent, ' ') + (starts_line ? value + "\n" : PadRight(value, first + 2));
    for (const std::string& line : Wrap(Printable(right), Room(second))) {
      if (starts_line) text_ += std::string(second, ' ');
      text_ += line + '\n';
      starts_line = true;
    }
  }
}

std::size_t Page::Room(std::size_t indent) const {
  return indent + 20 < width_ ? width_ - indent : 20;
}

}  // namespace gpuwhy
