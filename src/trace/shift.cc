#include "trace/shift.h"

#include <algorithm>
#include <cmath>

#include "base/median.h"

namespace gpuwhy::trace {
namespace {

constexpr double kTail = 0.025;           // of each side: 95 %
constexpr double kNormalQuantile = 1.96;  // the same of the normal distribution
constexpr std::size_t kExact = 50;        // steps of both sides; all counts fit a double exactly
constexpr std::size_t kMostSteps = 500;   // a side: all pairs of them are looked at

// In how many ways the rank-sum statistic of n among n + m takes each value: the coefficients of a
// Gaussian binomial.
std::vector<double> Ways(std::size_t n, std::size_t m) {
  std::vector<double> ways(n * m + 1, 0.0);
  ways[0] = 1;
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t u = ways.size(); u-- > m + i;) ways[u] -= ways[u - m - i];
    for (std::size_t u = i; u < ways.size(); ++u) ways[u] += ways[u - i];
  }
  return ways;
}

// How many of the sorted differences lie outside of the interval at each end; 0: there is none.
std::size_t Outside(std::size_t n, std::size_t m) {
  if (n + m > kExact) {
    const auto pairs = static_cast<double>(n * m);
    const double deviation = std::sqrt(pairs * static_cast<double>(n + m + 1) / 12);
    return static_cast<std::size_t>(std::max(0.0, pairs / 2 - kNormalQuantile * deviation));
  }
  const std::vector<double> ways = Ways(n, m);
  double all = 0;
  for (const double count : ways) all += count;
  double below = 0;
  std::size_t outside = 0;
  while (outside < ways.size() && below + ways[outside] <= kTail * all) below += ways[outside++];
  return outside;
}

std::vector<std::int64_t> Thinned(const std::vector<std::int64_t>& values) {
  if (values.size() <= kMostSteps) return values;
  std::vector<std::int64_t> some;
  for (std::size_t i = 0; i < kMostSteps; ++i)
    some.push_back(values[i * values.size() / kMostSteps]);
  return some;
}

}  // namespace

std::string_view Name(Moved moved) {
  switch (moved) {
    case Moved::kUp:
      return "up";
    case Moved::kDown:
      return "down";
    case Moved::kWithinNoise:
      return "within-noise";
    case Moved::kCannotTell:
      return "cannot-tell";
  }
  return "cannot-tell";
}

Shift ShiftOf(const std::vector<std::int64_t>& before, const std::vector<std::int64_t>& after) {
  Shift shift;
  if (!before.empty()) shift.before = Median(before);
  if (!after.empty()) shift.after = Median(after);
  shift.by = shift.after - shift.before;
  if (before.empty() || after.empty()) return shift;
  std::vector<std::int64_t> differences;
  const std::vector<std::int64_t> olds = Thinned(before);
  const std::vector<std::int64_t> news = Thinned(after);
  for (const std::int64_t old_value : olds) {
    for (const std::int64_t new_value : news) differences.push_back(new_value - old_value);
  }
  std::sort(differences.begin(), differences.end());
  const std::size_t count = differences.size();
  shift.by = (differences[(count - 1) / 2] + differences[count / 2]) / 2;
  const std::size_t outside = Outside(olds.size(), news.size());
  if (outside == 0) return shift;
  shift.low = differences[outside - 1];
  shift.high = differences[count - outside];
  shift.moved = shift.low > 0 ? Moved::kUp : shift.high < 0 ? Moved::kDown : Moved::kWithinNoise;
  return shift;
}

}  // namespace gpuwhy::trace
