#include "facts/catalogue.h"

#include <array>

#include "base/i18n.h"

namespace gpuwhy {
namespace {

// The count is given: deducing it recurses once a row, and compilers limit that.
constexpr std::size_t kRows = 0
// NOLINTNEXTLINE(bugprone-macro-parentheses): a term of a sum
#define FACT(enumerator, id, unit, volatility, meaning) +1
#include "facts/catalogue.inc"
#undef FACT
    ;

constexpr std::array<FactInfo, kRows> kFacts = {{
#define FACT(enumerator, id, unit, volatility, meaning) \
  FactInfo{id, Unit::unit, Volatility::volatility, meaning},
#include "facts/catalogue.inc"
#undef FACT
}};

}  // namespace

const FactInfo& Info(FactId id) { return kFacts.at(static_cast<std::size_t>(id)); }

std::size_t FactCount() { return kFacts.size(); }

std::string_view UnitSymbol(Unit unit) {
  switch (unit) {
    case Unit::kNone:
      return "";
    case Unit::kRatio:
      return "1";
    case Unit::kSeconds:
      return "s";
    case Unit::kCount:
      return "count";
    case Unit::kBytes:
      return "B";
    case Unit::kBytesPerSecond:
      return "B/s";
    case Unit::kPerSecond:
      return "1/s";
    case Unit::kCores:
      return "cores";
    case Unit::kThreads:
      return "threads";
    case Unit::kText:
      return "text";
    case Unit::kBool:
      return "bool";
    case Unit::kCelsius:
      return "Cel";
    case Unit::kWatts:
      return "W";
    case Unit::kHertz:
      return "Hz";
    case Unit::kPercent:
      return "%";
    case Unit::kMegahertz:
      return "MHz";
    case Unit::kMebibytes:
      return "MiB";
  }
  return "";
}

}  // namespace gpuwhy
