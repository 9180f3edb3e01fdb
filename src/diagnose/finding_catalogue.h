// The vocabulary: every claim that gpuwhy can make. findings.toml in this folder is the table; the
// code behind this header is generated from it at build time. Ids are never renamed.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace gpuwhy {

enum class FindingKind : unsigned char { kFault, kLimit, kState, kOk };
enum class Effect : unsigned char { kNone, kRisk, kBounds, kSlows, kBlocks };
enum class Action : unsigned char {
  kNone,
  kWatch,
  kConfirm,
  kFix,
  kDrain,
  kReplace
};  ///< by urgency

struct FindingInfo {
  std::string_view id;
  std::string_view resource;
  int stage;  ///< 1..5 of the fast guide; 0: state of the job or node
  FindingKind kind;
  Effect effect;
  Action action;
  std::span<const std::string_view> explained_by;  ///< ids, or families ("input.*")
  std::span<const std::string_view> refs;
  std::string_view meaning;  ///< English one-liner; show it through Tr(); may be empty
};

[[nodiscard]] std::span<const FindingInfo> AllFindings();  ///< by family
/// nullptr for an id that is not in the vocabulary.
[[nodiscard]] const FindingInfo* FindFinding(std::string_view id);
/// May `cause` explain `effect`, by the vocabulary? False for unknown ids and for an id itself.
[[nodiscard]] bool MayExplain(std::string_view cause, const FindingInfo& effect);

[[nodiscard]] std::string_view Name(FindingKind kind);
[[nodiscard]] std::string_view Name(Effect effect);
[[nodiscard]] std::string_view Name(Action action);

}  // namespace gpuwhy
