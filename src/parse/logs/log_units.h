// The units that training logs print after a number.
#pragma once

#include <optional>
#include <string_view>

namespace gpuwhy {

/// To seconds, by the unit that follows a time; nullopt where the unit is none of a time.
[[nodiscard]] std::optional<double> SecondsOf(std::string_view unit);
/// "17.39s/it", "2.14it/s", "520ms/step": seconds per step.
[[nodiscard]] std::optional<double> StepFromUnit(double value, std::string_view unit);
[[nodiscard]] bool IsRateUnit(std::string_view unit);

}  // namespace gpuwhy
