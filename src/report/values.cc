#include "report/values.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/i18n.h"
#include "base/text.h"

namespace gpuwhy {
namespace {

// Three significant digits without an exponent: 0.00123, 1.23, 12.3, 1230.
std::string Digits(double number) {
  if (number == 0) return "0";
  const double magnitude = std::floor(std::log10(std::abs(number)));
  const int decimals = static_cast<int>(std::min(9.0, std::max(0.0, 2 - magnitude)));
  std::string text = fmt::format("{:.{}f}", number, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

// Decimal prefixes: what disks, links and `dd` are sold and read by.
std::string Scaled(double number, std::string_view unit) {
  constexpr std::array<std::string_view, 6> kPrefixes = {"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  while (std::abs(number) >= 1000 && prefix + 1 < kPrefixes.size()) {
    number /= 1000;
    ++prefix;
  }
  return fmt::format("{} {}{}", Digits(number), kPrefixes.at(prefix), unit);
}

std::string DurationText(double seconds) {
  const double size = std::abs(seconds);
  if (size == 0 || size >= 1) return Digits(seconds) + " s";
  if (size >= 1e-3) return Digits(seconds * 1e3) + " ms";
  if (size >= 1e-6) return Digits(seconds * 1e6) + " us";
  return Digits(seconds * 1e9) + " ns";
}

bool HasWidth(const Interval& interval, double number) {
  return interval.low < interval.high && interval.low <= number && number <= interval.high;
}

}  // namespace

std::string QuantityText(double number, Unit unit) {
  if (!std::isfinite(number)) return _("unknown");
  switch (unit) {
    case Unit::kRatio:
      return PercentText(number);
    case Unit::kSeconds:
      return DurationText(number);
    case Unit::kBytes:
      return Scaled(number, "B");
    case Unit::kBytesPerSecond:
      return Scaled(number, "B/s");
    case Unit::kHertz:
      return Scaled(number, "Hz");
    case Unit::kPerSecond:
      return Format(_("{} a second"), Digits(number));
    case Unit::kCores:
      return Format(_("{} cores"), Digits(number));
    case Unit::kThreads:
      return Format(_("{} threads"), Digits(number));
    case Unit::kCelsius:
      return Digits(number) + " °C";
    case Unit::kWatts:
      return Digits(number) + " W";
    case Unit::kPercent:
      return Digits(number) + " %";
    case Unit::kMegahertz:
      return Digits(number) + " MHz";
    case Unit::kMebibytes:
      return Digits(number) + " MiB";
    case Unit::kNone:
    case Unit::kCount:
    case Unit::kText:
    case Unit::kBool:
      return Digits(number);
  }
  return Digits(number);
}

std::string ValueText(const Fact& fact) {
  if (!fact.value) return Format(_("not seen ({})"), WhyText(fact.value.missing().why));
  if (const bool* flag = std::get_if<bool>(&*fact.value)) return *flag ? _("yes") : _("no");
  if (const std::string* text = std::get_if<std::string>(&*fact.value)) return Printable(*text);
  const double number = std::get<double>(*fact.value);
  const Unit unit = Info(fact.id).unit;
  if (!HasWidth(fact.interval, number)) return QuantityText(number, unit);
  if (unit == Unit::kRatio) return PercentText(number, fact.interval.low, fact.interval.high);
  return fmt::format("{} ({}-{})", QuantityText(number, unit), Digits(fact.interval.low),
                     QuantityText(fact.interval.high, unit));
}

std::string GainText(const Finding& finding, bool has_steps) {
  if (finding.bound) {
    const std::string share = PercentText(*finding.bound);
    return has_steps ? Format(_("it limits the job for {} of the step"), share)
                     : Format(_("it limits the job for {} of the wall time"), share);
  }
  if (finding.at_one_moment || !finding.cost) return "";
  const Cost& cost = *finding.cost;
  const std::string share = PercentText(cost.share, cost.low, cost.high);
  return has_steps ? Format(_("mending it would shorten the step by {}"), share)
                   : Format(_("mending it would shorten the wall time by {}"), share);
}

}  // namespace gpuwhy
