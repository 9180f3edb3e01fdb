#include "cli/duration.h"

#include <array>

#include "base/text.h"

namespace gpuwhy {
namespace {

struct Suffix {
  std::string_view text;
  double seconds;
};
// "ms" before "s": the first suffix that fits is taken.
constexpr std::array<Suffix, 4> kSuffixes = {{{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}}};

constexpr double kShortest = 0.5;  // less holds too few looks to say anything
constexpr double kLongest = 24 * 3600.0;

}  // namespace

std::optional<Nanos> ParseDuration(std::string_view text) {
  double unit = 1;
  for (const Suffix& suffix : kSuffixes) {
    if (!text.ends_with(suffix.text)) continue;
    text.remove_suffix(suffix.text.size());
    unit = suffix.seconds;
    break;
  }
  const std::optional<double> number = ParseDouble(text);
  if (!number) return std::nullopt;
  const double seconds = *number * unit;
  if (!(seconds >= kShortest && seconds <= kLongest)) return std::nullopt;
  return std::chrono::duration_cast<Nanos>(std::chrono::duration<double>(seconds));
}

}  // namespace gpuwhy
