#include "base/percent.h"

#include <fmt/format.h>

#include <cmath>

#include "base/i18n.h"

namespace gpuwhy {

std::string PercentText(double share) {
  if (!std::isfinite(share)) return _("unknown");
  const double percent = share * 100;
  if (percent > 0 && percent < 0.1) return "<0.1 %";
  // 0.96 % is "1 %": "1.0 %" would say more than the next whole percent does.
  if (percent > 0 && percent < 0.95) return fmt::format("{:.1f} %", percent);
  return fmt::format("{:.0f} %", std::round(percent));
}

std::string PercentText(double share, double low, double high) {
  std::string middle = PercentText(share);
  const double low_percent = std::round(low * 100);
  const double high_percent = std::round(high * 100);
  if (!std::isfinite(low_percent) || !std::isfinite(high_percent) || low_percent >= high_percent) {
    return middle;
  }
  return fmt::format("{} ({:.0f}-{:.0f} %)", middle, low_percent, high_percent);
}

}  // namespace gpuwhy
