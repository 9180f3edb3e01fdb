#include "diagnose/finding.h"

namespace gpuwhy {

std::string_view Name(Severity severity) {
  constexpr std::string_view kNames[] = {"info", "warning", "critical"};
  return kNames[static_cast<std::size_t>(severity)];
}

std::string_view Name(Confidence confidence) {
  constexpr std::string_view kNames[] = {"low", "medium", "high"};
  return kNames[static_cast<std::size_t>(confidence)];
}

std::string_view Name(CostBasis basis) {
  constexpr std::string_view kNames[] = {"none", "ratio", "law", "timeline"};
  return kNames[static_cast<std::size_t>(basis)];
}

}  // namespace gpuwhy
