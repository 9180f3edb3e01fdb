// The catalogue of facts: everything that gpuwhy can know, each with its id, unit and meaning.
// catalogue.inc is the table.
#pragma once

#include <cstddef>
#include <string_view>

namespace gpuwhy {

enum class Unit : unsigned char {
  kNone,
  kRatio,
  kSeconds,
  kCount,
  kBytes,
  kBytesPerSecond,
  kPerSecond,
  kCores,
  kThreads,
  kText,
  kBool,
  kCelsius,
  kWatts,
  kHertz,
  kPercent,  ///< as NVIDIA's tools and library tell it: 0..100
  kMegahertz,
  kMebibytes,
};

/// Symbol for JSON and reports: "1" for ratios, "s", "B/s", "cores", ...
[[nodiscard]] std::string_view UnitSymbol(Unit unit);

enum class Volatility : unsigned char { kStable, kVolatile };

enum class FactId : unsigned short {
#define FACT(enumerator, id, unit, volatility, meaning) enumerator,
#include "facts/catalogue.inc"
#undef FACT
};

struct FactInfo {
  std::string_view id;
  Unit unit;
  Volatility volatility;
  const char* meaning;  ///< English; show it through Tr()
};

[[nodiscard]] const FactInfo& Info(FactId id);  ///< lives for ever
[[nodiscard]] std::size_t FactCount();
inline std::string_view Id(FactId id) { return Info(id).id; }

}  // namespace gpuwhy
