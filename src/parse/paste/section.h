// A pasted text, cleaned of what pasting does to it: escape codes, CRLF, quote marks, HTML
// entities. Lines keep the number they had in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuwhy {

struct PastedLine {
  std::string_view text;     ///< without its end; into the section's own text
  std::uint32_t number = 0;  ///< in the file, from 1
};

/// A prompt with the command that was typed after it.
struct PromptSeen {
  std::size_t line = 0;  ///< index into Section::lines
  std::string_view command;
};

/// Looks at the bytes, which must outlive it; owns a text of its own where something had to be
/// cleaned. Neither copied nor moved, because the lines look into it.
class Section {
 public:
  /// first_line: the number of the first line, where the bytes are a piece of a longer text.
  Section(std::string name, std::string_view bytes, std::uint32_t first_line = 1);
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  [[nodiscard]] const std::string& Name() const { return name_; }
  [[nodiscard]] const std::vector<PastedLine>& Lines() const { return lines_; }
  [[nodiscard]] std::size_t size() const { return lines_.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t i) const { return lines_[i].text; }
  [[nodiscard]] std::uint32_t Number(std::size_t i) const { return lines_[i].number; }
  [[nodiscard]] const std::vector<PromptSeen>& Prompts() const { return prompts_; }
  /// Index of the first line at or after `from` that is a prompt; size() where there is none.
  [[nodiscard]] std::size_t NextPrompt(std::size_t from) const;
  /// Everything as pasted, but for escape codes and entities: marks of quoting and what a collector
  /// put before each line are still in it.
  [[nodiscard]] std::string_view Text() const { return text_; }
  /// Where a line begins in Text(), with its marks of quoting and its prefix; the length of Text()
  /// for size().
  [[nodiscard]] std::size_t BeginOf(std::size_t line) const;
  [[nodiscard]] bool Quoted() const { return quoted_; }
  [[nodiscard]] bool Prefixed() const { return prefixed_; }

 private:
  std::string name_, cleaned_;
  std::string_view text_;  ///< the bytes, or cleaned_
  std::vector<PastedLine> lines_;
  std::vector<PromptSeen> prompts_;
  bool quoted_ = false, prefixed_ = false;
};

/// PowerShell's "> file" writes UTF-16: the outputs read here are ASCII but for names.
[[nodiscard]] bool IsUtf16(std::string_view bytes);
/// Pairs of bytes as one each; '?' for what is not ASCII.
[[nodiscard]] std::string FromUtf16(std::string_view bytes);

/// The command after a shell prompt; empty where the line is none.
[[nodiscard]] std::string_view CommandOfPrompt(std::string_view line);

}  // namespace gpuwhy
