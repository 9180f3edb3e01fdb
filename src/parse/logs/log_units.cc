#include "parse/logs/log_units.h"

namespace gpuwhy {

std::optional<double> SecondsOf(std::string_view unit) {
  if (unit.empty()) return 1;
  if (unit == "s" || unit == "sec" || unit == "secs" || unit == "second" || unit == "seconds")
    return 1;
  if (unit == "ms" || unit == "msec") return 1e-3;
  if (unit == "us") return 1e-6;
  return std::nullopt;
}

std::optional<double> StepFromUnit(double value, std::string_view unit) {
  if (unit.size() < 4) return std::nullopt;  // most numbers have none
  if (unit == "s/it" || unit == "s/step" || unit == "s/batch" || unit == "s/iter") return value;
  if (unit == "ms/step" || unit == "ms/it" || unit == "ms/batch") return value * 1e-3;
  if (unit == "us/step") return value * 1e-6;
  if ((unit == "it/s" || unit == "step/s" || unit == "steps/s" || unit == "batch/s") && value > 0)
    return 1 / value;
  return std::nullopt;
}

bool IsRateUnit(std::string_view unit) {
  if (unit.size() < 2) return false;
  return unit == "/s" || unit == "samples/sec" || unit == "samples/s" || unit == "img/s" ||
         unit == "imgs/s" || unit == "images/sec" || unit == "images/s" || unit == "tokens/s" ||
         unit == "tokens/sec" || unit == "ins/s" || unit == "examples/s";
}

}  // namespace gpuwhy
