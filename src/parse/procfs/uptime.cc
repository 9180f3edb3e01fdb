#include "parse/procfs/uptime.h"

#include <optional>
#include <vector>

#include "base/i18n.h"
#include "base/text.h"

namespace gpuwhy {

Result<Uptime> ParseUptime(std::string_view text) {
  const std::vector<std::string_view> fields = Fields(NextLine(text));
  const std::optional<double> up = fields.size() == 2 ? ParseDouble(fields[0]) : std::nullopt;
  const std::optional<double> idle = fields.size() == 2 ? ParseDouble(fields[1]) : std::nullopt;
  if (!up || !idle || *up < 0 || *idle < 0) {
    return Error{_("is not as the kernel writes it"), "/proc/uptime:1", 0};
  }
  return Uptime{*up, *idle};
}

}  // namespace gpuwhy
