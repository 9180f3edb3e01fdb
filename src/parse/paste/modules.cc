#include "parse/paste/modules.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "parse/logs/mention.h"
#include "parse/logs/statement_table.h"
#include "parse/paste/quantity.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kLongestQuote = 240;

bool IsModuleHeader(std::string_view line) {
  const std::vector<std::string_view> words = Fields(line);
  return words.size() >= 4 && words[0] == "Module" && words[1] == "Size" && words[2] == "Used" &&
         words[3] == "by";
}

bool IsModuleRow(std::string_view line) {
  const std::vector<std::string_view> words = Fields(line);
  return words.size() >= 3 && words.size() <= 5 && ParseNumber<long>(words[1]) &&
         ParseNumber<int>(words[2]);
}

struct Sentence {
  std::string_view part, kind;
};
constexpr Sentence kSentences[] = {
    {"infoROM is corrupted at gpu", "smi.inforom"},
    {"Driver/library version mismatch", "smi.library-mismatch"},
    {"couldn't communicate with the NVIDIA driver", "smi.no-driver"},
    {"No devices were found", "smi.no-devices"},
    {"GPU is lost", "smi.gpu-lost"},
    {"GPU requires reset", "smi.reset-required"},
    {"available PCIe bandwidth, limited by", "pci.limited"},
    {"marked for remapping, reset gpu to activate", "xid.remap-pending"},
    {"page retired, reboot to activate", "xid.remap-pending"},
    {"Unable to determine the device handle for", "smi.no-handle"},
};

const Sentence* SentenceIn(std::string_view line) {
  if (line.size() > 600) return nullptr;
  for (const Sentence& sentence : kSentences) {
    const std::size_t at = line.find(sentence.part);
    if (at == std::string_view::npos || IsMention(line, at)) continue;
    // Who may not open the device is told the same with another end.
    if (!Holds(line, "ermission") && !IsAdvice(line)) return &sentence;
  }
  return nullptr;
}

}  // namespace

std::optional<Match> RecogniseLsmod(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && !IsModuleHeader(section[first])) ++first;
  if (first == section.size()) return std::nullopt;
  std::size_t end = first + 1;
  while (end < section.size() && IsModuleRow(section[end])) ++end;
  return Match{first, end, 90};
}

void ReadLsmod(const Section& section, const Match& match, Pasted& into,
               std::vector<Problem>& /*problems*/) {
  for (std::size_t i = match.first + 1; i < match.end; ++i) {
    const std::vector<std::string_view> words = Fields(section[i]);
    PastedMessage& module = into.modules.emplace_back();
    module.place = {section.Name(), section.Number(i)};
    module.kind = "module";
    module.subject = std::string(words[0]);
    if (const std::optional<double> users = ParseDouble(words[2])) module.number = *users;
  }
}

std::optional<Match> RecogniseSmiMessages(const Section& section, std::size_t from) {
  for (std::size_t i = from; i < section.size(); ++i) {
    if (SentenceIn(section[i]) != nullptr) return Match{i, i + 1, 50};
  }
  return std::nullopt;
}

void ReadSmiMessages(const Section& section, const Match& match, Pasted& into,
                     std::vector<Problem>& /*problems*/) {
  const std::string_view line = section[match.first];
  const Sentence* sentence = SentenceIn(line);
  if (sentence == nullptr) return;
  PastedMessage& message = into.messages.emplace_back();
  message.place = {section.Name(), section.Number(match.first)};
  message.kind = std::string(sentence->kind);
  message.text = std::string(Trim(line).substr(0, kLongestQuote));
  message.subject = std::string(BusIdIn(line));
}

}  // namespace gpuwhy
