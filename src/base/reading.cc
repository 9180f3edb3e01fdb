#include "base/reading.h"

#include "base/i18n.h"

namespace gpuwhy {

std::string WhyText(Why why) {
  switch (why) {
    case Why::kNotPresent:
      return _("not present on this host");
    case Why::kNotSupported:
      return _("not offered by this kernel, driver or device");
    case Why::kNoPermission:
      return _("no permission");
    case Why::kFailed:
      return _("could not be read");
    case Why::kTimedOut:
      return _("no answer within the deadline");
    case Why::kNotSampled:
      return _("not measured");
    case Why::kWentBackwards:
      return _("the counter went backwards");
  }
  return _("unknown");
}

std::string_view WhyId(Why why) {
  switch (why) {
    case Why::kNotPresent:
      return "not-present";
    case Why::kNotSupported:
      return "not-supported";
    case Why::kNoPermission:
      return "no-permission";
    case Why::kFailed:
      return "failed";
    case Why::kTimedOut:
      return "timed-out";
    case Why::kNotSampled:
      return "not-sampled";
    case Why::kWentBackwards:
      return "went-backwards";
  }
  return "unknown";
}

}  // namespace gpuwhy
