// Finding: one claim about one subject, with its evidence and what mending it would give back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/finding_catalogue.h"
#include "facts/fact.h"

namespace gpuwhy {

enum class Severity : unsigned char { kInfo, kWarning, kCritical };
enum class Confidence : unsigned char { kLow, kMedium, kHigh };
enum class CostBasis : unsigned char { kNone, kRatio, kLaw, kTimeline };

[[nodiscard]] std::string_view Name(Severity severity);
[[nodiscard]] std::string_view Name(Confidence confidence);
[[nodiscard]] std::string_view Name(CostBasis basis);

/// By what share the step (without steps: the wall time) would shorten if this alone were mended.
/// 0..1, low <= share <= high.
struct Cost {
  double share = 0, low = 0, high = 0;
  CostBasis basis = CostBasis::kNone;
  friend bool operator==(const Cost&, const Cost&) = default;
};

struct Evidence {
  Fact fact;
  std::string expected;  ///< what a healthy value would be; empty where there is none
  std::string how;       ///< translated: how it was obtained
};

struct Finding {
  std::string id;  ///< in the vocabulary
  Subject subject;
  Severity severity = Severity::kWarning;
  Confidence confidence = Confidence::kMedium;
  std::optional<Cost> cost;  ///< none: no basis ("slows without basis")
  std::optional<double>
      bound;  ///< kind limit: share of the step in which its resource was saturated
  /// Kind limit without a bound: its resource was saturated at the moment that was looked at, for
  /// what share of the time is not known.
  bool at_one_moment = false;
  std::vector<std::string>
      causes;  ///< bound by the rule: ids that explain this one for this subject and window
  std::vector<Evidence> evidence;
  std::string title, meaning, decision, fix;  ///< translated
  std::string verify;                         ///< a command, every value in it shell-quoted
  // Filled by ranking:
  std::vector<std::string> explained_by;  ///< causes that hold and cover it: it is a consequence
  Effect effect = Effect::kNone;          ///< of the vocabulary, or inherited from a consequence

  /// Precondition: id is in the vocabulary (a test holds every rule to it).
  [[nodiscard]] const FindingInfo& Info() const { return *FindFinding(id); }
};

/// What was not seen, why, what would show it, and which findings that hides.
struct Unknown {
  std::string what, why, how;  ///< translated
  std::vector<std::string> hides;
  bool urgent = false;  ///< it may be the whole answer: said beside the verdict
  friend bool operator==(const Unknown&, const Unknown&) = default;
};

}  // namespace gpuwhy
