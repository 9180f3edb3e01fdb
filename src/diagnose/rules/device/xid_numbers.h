// Numbers of the driver's Xid messages, out of the lines that carry them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "facts/fact.h"

namespace gpuwhy {

struct XidLine {
  int number = 0;
  std::string device;  ///< as the line names it: "0000:3b:00"
};

/// Each number of the lines once, in order. Lines that carry none are left out.
[[nodiscard]] std::vector<XidLine> XidsIn(const std::vector<const Fact*>& lines);
/// "Xid 13, 31".
[[nodiscard]] std::string XidText(const std::vector<XidLine>& xids);

}  // namespace gpuwhy
