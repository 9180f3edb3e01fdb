#include "parse/procfs/version.h"

#include <vector>

#include "base/i18n.h"
#include "base/text.h"

namespace gpuwhy {

Result<std::string> ParseKernelRelease(std::string_view text) {
  const std::vector<std::string_view> fields = Fields(NextLine(text));
  if (fields.size() < 3 || fields[0] != "Linux" || fields[1] != "version") {
    return Error{_("is not as the kernel writes it"), "/proc/version:1", 0};
  }
  return std::string(fields[2]);
}

}  // namespace gpuwhy
