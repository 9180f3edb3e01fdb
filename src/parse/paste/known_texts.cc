#include "parse/paste/known_texts.h"

#include "base/text.h"

namespace gpuwhy {
namespace {

constexpr int kScore = 20;

template <class Condition>
std::optional<Match> FirstLine(const Section& section, std::size_t from, Condition is_it) {
  for (std::size_t i = from; i < section.size(); ++i) {
    if (is_it(section[i])) return Match{i, i + 1, kScore};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Match> RecogniseServiceState(const Section& section, std::size_t from) {
  return FirstLine(section, from, [](std::string_view line) {
    return Holds(line, "nvidia") && Holds(line, ".service - ");
  });
}

std::optional<Match> RecogniseContainerBanner(const Section& section, std::size_t from) {
  return FirstLine(section, from, [](std::string_view line) {
    return Trim(line).starts_with("NVIDIA Release ") && Holds(line, "(build ");
  });
}

std::optional<Match> RecogniseDkmsStatus(const Section& section, std::size_t from) {
  return FirstLine(section, from, [](std::string_view line) {
    line = Trim(line);
    return line.starts_with("nvidia") && Holds(line, ", ") && line.ends_with(": installed");
  });
}

std::optional<Match> RecogniseMemorySummary(const Section& section, std::size_t from) {
  return FirstLine(section, from, [](std::string_view line) {
    return Holds(line, "PyTorch CUDA memory summary, device ID");
  });
}

std::optional<Match> RecogniseStackDump(const Section& section, std::size_t from) {
  return FirstLine(section, from, [](std::string_view line) {
    const std::string_view text = Trim(line);
    // "Thread 81231 (idle): "MainThread"" of py-spy; "Thread 0x00 (most recent call first):" of
    // Python's own.
    const bool thread = text.starts_with("Thread ") || text.starts_with("Current thread ");
    return thread && (Holds(text, "(idle)") || Holds(text, "(active") ||
                      Holds(text, "(most recent call first)"));
  });
}

void ReadNothing(const Section& /*section*/, const Match& /*match*/, Pasted& /*into*/,
                 std::vector<Problem>& /*problems*/) {}

}  // namespace gpuwhy
