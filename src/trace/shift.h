// Did a quantity move from one group of steps to another? Made for few steps, with outliers and
// without any known distribution: medians, the Hodges-Lehmann shift, and its 95 % interval from the
// ranks (Mann-Whitney).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace gpuwhy::trace {

enum class Moved : unsigned char { kUp, kDown, kWithinNoise, kCannotTell };
[[nodiscard]] std::string_view Name(Moved moved);

/// So many steps on each side are enough for an interval: with three each even a clean separation
/// comes by chance once in ten times.
inline constexpr std::size_t kStepsToTell = 4;

struct Shift {
  std::int64_t before = 0, after = 0;  ///< medians
  std::int64_t by = 0;  ///< median of all differences between a step after and one before
  std::int64_t low = 0, high = 0;  ///< of by; meaningless where moved is kCannotTell
  Moved moved = Moved::kCannotTell;
};

/// Steps are taken as independent: a drift within one profile makes the interval too narrow. An
/// empty side: kCannotTell, and 0 stands for it.
[[nodiscard]] Shift ShiftOf(const std::vector<std::int64_t>& before,
                            const std::vector<std::int64_t>& after);

}  // namespace gpuwhy::trace
