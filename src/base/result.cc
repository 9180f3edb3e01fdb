#include "base/result.h"

#include <system_error>

namespace gpuwhy {

std::string Error::Text() const {
  std::string text = where.empty() ? message : where + ": " + message;
  if (sys_errno != 0) text += ": " + std::generic_category().message(sys_errno);
  return text;
}

}  // namespace gpuwhy
