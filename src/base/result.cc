#include "base/result.h"

#include <system_error>

#include "base/text.h"

namespace gpuwhy {

std::string Error::Text() const {
  std::string text = where.empty() ? message : where + ": " + message;
  if (sys_errno != 0) text += ": " + std::generic_category().message(sys_errno);
  // Names of files and archive members, and what libraries quote, are others' words.
  return Printable(text);
}

}  // namespace gpuwhy
