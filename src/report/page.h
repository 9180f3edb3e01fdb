// A page of text in the making: headings, paragraphs, commands, tables; wrapped to a width.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuwhy {

enum class Ink : unsigned char { kPlain, kBold, kRed, kGreen };

class Page {
 public:
  Page(bool color, int width);

  /// Starts a section: an empty line, then the text.
  void Heading(std::string_view text);
  /// As it is, never wrapped. text is made printable.
  void Line(std::string_view text, Ink ink = Ink::kPlain);
  /// Wrapped; each line starts with indent spaces, all but the first with hanging more. A newline
  /// in text is shown as \x0a: a name that holds one must not forge a line of the report.
  void Paragraph(std::string_view text, std::size_t indent = 2, std::size_t hanging = 0);
  /// Our own prose, which may hold several paragraphs, one a line.
  void Prose(std::string_view text, std::size_t indent = 2);
  /// One line a line, indented, never wrapped: what is copied into a shell must stay whole.
  void Command(std::string_view text, std::size_t indent = 2);
  /// Two columns: the first as wide as it needs to be (up to a third of the page), the second
  /// wrapped.
  void Table(const std::vector<std::pair<std::string, std::string>>& rows, std::size_t indent = 2);

  [[nodiscard]] std::string Text() && { return std::move(text_); }

 private:
  [[nodiscard]] std::size_t Room(std::size_t indent) const;

  bool color_;
  std::size_t width_;
  std::string text_;
};

}  // namespace gpuwhy
