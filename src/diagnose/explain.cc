#include "diagnose/explain.h"

#include <algorithm>
#include <iterator>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/rule.h"

namespace gpuwhy {
namespace {

std::string MeaningOf(const FindingInfo& info) {
  // gettext answers "" with its own header.
  if (info.meaning.empty()) return {};
  return Tr(std::string(info.meaning).c_str());
}

bool HoldsAll(std::string_view text, const std::vector<std::string_view>& words) {
  return std::all_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

std::string Join(std::span<const std::string_view> items) {
  std::string joined;
  for (const std::string_view item : items) {
    if (!joined.empty()) joined += ", ";
    joined += item;
  }
  return joined;
}

std::string KindText(FindingKind kind) {
  switch (kind) {
    case FindingKind::kFault:
      return _("fault: something is wrong");
    case FindingKind::kLimit:
      return _("limit: works as designed, and is what bounds the job");
    case FindingKind::kState:
      return _("state: worth knowing, never the answer by itself");
    case FindingKind::kOk:
      return _("ok: ends a hunt");
  }
  return {};
}

/// A word as it may stand in a text: "loaders" for "loader".
std::string_view Stem(std::string_view word) {
  if (word.size() > 3 && word.ends_with('s')) word.remove_suffix(1);
  return word;
}

/// No text holds all words: those that hold most, a word counting the more the fewer texts hold it.
std::vector<const FindingInfo*> MostWords(const std::vector<std::string_view>& words) {
  const auto holds = [](const FindingInfo& info, std::string_view word) {
    const std::string text = std::string(info.id) + " " + std::string(info.resource) + " " +
                             Lower(info.meaning) + " " + Lower(MeaningOf(info));
    return text.find(Stem(word)) != std::string::npos;
  };
  std::vector<double> scores(AllFindings().size(), 0);
  for (const std::string_view word : words) {
    std::vector<std::size_t> holders;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (holds(AllFindings()[i], word)) holders.push_back(i);
    }
    for (const std::size_t i : holders) scores[i] += 1 / static_cast<double>(holders.size());
  }
  const double best = scores.empty() ? 0 : *std::max_element(scores.begin(), scores.end());
  std::vector<const FindingInfo*> found;
  for (std::size_t i = 0; best > 0 && i < scores.size(); ++i) {
    if (scores[i] >= best) found.push_back(&AllFindings()[i]);
  }
  return found;
}

}  // namespace

std::vector<const FindingInfo*> SearchFindings(std::string_view words) {
  const std::string wanted = Lower(words);
  const std::vector<std::string_view> parts = Fields(wanted);
  std::vector<const FindingInfo*> in_id;
  std::vector<const FindingInfo*> in_meaning;
  for (const FindingInfo& info : AllFindings()) {
    const std::string id(info.id);
    const std::string text = id + " " + Lower(info.meaning) + " " + Lower(MeaningOf(info));
    if (HoldsAll(id, parts)) {
      in_id.push_back(&info);
    } else if (HoldsAll(text, parts)) {
      in_meaning.push_back(&info);
    }
  }
  in_id.insert(in_id.end(), in_meaning.begin(), in_meaning.end());
  return in_id.empty() ? MostWords(parts) : in_id;
}

bool HasRule(std::string_view id) {
  const std::span<const Rule> rules = AllRules();
  return std::any_of(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.id == id; });
}

std::string ExplainFinding(const FindingInfo& info) {
  std::string text = std::string(info.id) + "\n";
  const auto line = [&](const std::string& label, std::string_view value) {
    if (!value.empty()) text += Format("  {}: {}\n", label, value);
  };
  line(_("meaning"), MeaningOf(info));
  line(_("resource"), info.resource);
  line(_("kind"), KindText(info.kind));
  line(_("effect"), Name(info.effect));
  line(_("action"), Name(info.action));
  line(_("may be explained by"), Join(info.explained_by));
  line(_("can this version find it"), HasRule(info.id) ? _("yes") : _("no"));
  return text;
}

std::string Explain(std::string_view words) {
  const std::string_view wanted = Trim(words);
  if (const FindingInfo* info = FindFinding(wanted); info != nullptr) return ExplainFinding(*info);
  const std::vector<const FindingInfo*> found = SearchFindings(wanted);
  if (found.empty()) {
    return Format(_("No finding matches \"{}\". Without words all are listed.\n"),
                  Printable(wanted));
  }
  if (found.size() == 1) return ExplainFinding(*found.front());
  std::string text;
  for (const FindingInfo* info : found) {
    text += std::string(info->id);
    const std::string meaning = MeaningOf(*info);
    if (!meaning.empty()) text += ": " + meaning;
    if (!HasRule(info->id)) text += _(" [not found by this version]");
    text += "\n";
  }
  return text;
}

}  // namespace gpuwhy
