#include "diagnose/finding_catalogue.h"

#include <algorithm>
#include <iterator>

#include "base/i18n.h"

namespace gpuwhy {
namespace {
#include "finding_table.inc"  // generated from findings.toml, sorted by id
}  // namespace

std::span<const FindingInfo> AllFindings() { return kFindings; }

const FindingInfo* FindFinding(std::string_view id) {
  const FindingInfo* end = std::end(kFindings);
  const FindingInfo* found = std::lower_bound(
      std::begin(kFindings), end, id,
      [](const FindingInfo& info, std::string_view wanted) { return info.id < wanted; });
  return found != end && found->id == id ? found : nullptr;
}

bool MayExplain(std::string_view cause, const FindingInfo& effect) {
  if (cause == effect.id || FindFinding(cause) == nullptr) return false;
  return std::any_of(effect.explained_by.begin(), effect.explained_by.end(),
                     [&](std::string_view pattern) {
                       if (!pattern.ends_with(".*")) return pattern == cause;
                       return cause.starts_with(pattern.substr(0, pattern.size() - 1));
                     });
}

std::string_view Name(FindingKind kind) {
  constexpr std::string_view kNames[] = {"fault", "limit", "state", "ok"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view Name(Effect effect) {
  constexpr std::string_view kNames[] = {"none", "risk", "bounds", "slows", "blocks"};
  return kNames[static_cast<std::size_t>(effect)];
}

std::string_view Name(Action action) {
  constexpr std::string_view kNames[] = {"none", "watch", "confirm", "fix", "drain", "replace"};
  return kNames[static_cast<std::size_t>(action)];
}

}  // namespace gpuwhy
