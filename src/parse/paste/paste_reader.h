// Reads pasted texts, whatever they hold. A file may hold several outputs, one after the other,
// with prompts and prose between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capture/pasted.h"
#include "parse/paste/look_thinner.h"
#include "parse/paste/recogniser.h"
#include "parse/paste/section_log.h"

namespace gpuwhy {

struct PasteReport {
  std::vector<std::string> formats;  ///< each once, in order of appearance; empty: not recognised
  std::vector<Problem> problems;
};

/// Reads what is recognised in a text that comes in parts, cut anywhere. Long texts are read in
/// pieces, so that memory does not grow with them; an output that goes on beyond a piece is carried
/// over, or its head is.
class PasteReader {
 public:
  /// Bytes of a piece.
  static constexpr std::size_t kPiece = std::size_t{8} << 20U;

  /// name: what places are told by. into must outlive this. piece: see kPiece.
  PasteReader(std::string name, Pasted& into, std::size_t piece = kPiece);
  PasteReader(const PasteReader&) = delete;
  PasteReader& operator=(const PasteReader&) = delete;
  void Add(std::string_view bytes);
  /// Whether anything was recognised in what was read of the parts.
  [[nodiscard]] bool Any() const { return !report_.formats.empty() || log_.Any(); }
  /// How many lines were read of the parts.
  [[nodiscard]] std::uint32_t Lines() const { return line_ - 1; }
  /// Ends the reading. rest: what follows the parts, in most cases the whole.
  [[nodiscard]] PasteReport Finish(std::string_view rest = {});

 private:
  struct Found;
  void AddText(std::string_view text);
  void Piece(std::string_view text, bool is_last);
  [[nodiscard]] std::vector<Found> Recognise(const Section& section, std::uint32_t signs);
  void FinishLog();
  void SayWhatWasLeftOut();

  std::string name_;
  Pasted& into_;
  std::size_t piece_;
  WordSearch search_;
  SectionLog log_;
  LookThinner thinner_;
  PasteReport report_;
  std::string pending_, carried_;  ///< not yet read; what a piece leaves to the next
  std::string half_;               ///< the first byte of a pair of UTF-16
  std::uint32_t line_ = 1;         ///< number of the first line of the next piece
  std::size_t matches_ = 0;
  std::size_t formats_at_start_ = 0;  ///< those whose output begins with the text
  bool started_ = false, wide_ = false;
};

/// The same for a text that is at hand. Pure; time is linear in the text for each format.
[[nodiscard]] PasteReport ReadPaste(const std::string& name, std::string_view bytes, Pasted& into);

}  // namespace gpuwhy
