#include "diagnose/rules/device/xid_numbers.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace gpuwhy {
namespace {

/// "NVRM: Xid (PCI:0000:61:00): 45, ...": 45 of "0000:61:00".
std::optional<XidLine> XidOf(std::string_view line) {
  constexpr std::string_view kOpen = "Xid (";
  const std::size_t open = line.find(kOpen);
  const std::size_t close = line.find("): ", open);
  if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
  const std::string_view rest = line.substr(close + 3);
  const std::optional<int> number =
      ParseNumber<int>(rest.substr(0, rest.find_first_not_of("0123456789")));
  if (!number) return std::nullopt;
  std::string_view device = line.substr(open + kOpen.size(), close - open - kOpen.size());
  if (device.starts_with("PCI:")) device.remove_prefix(4);
  return XidLine{*number, std::string(device)};
}

}  // namespace

std::vector<XidLine> XidsIn(const std::vector<const Fact*>& lines) {
  std::vector<XidLine> xids;
  for (const Fact* line : lines) {
    const std::string* text = std::get_if<std::string>(&*line->value);
    std::optional<XidLine> xid = text == nullptr ? std::nullopt : XidOf(*text);
    if (!xid) continue;
    const bool known = std::any_of(xids.begin(), xids.end(),
                                   [&](const XidLine& one) { return one.number == xid->number; });
    if (!known) xids.push_back(*std::move(xid));
  }
  return xids;
}

std::string XidText(const std::vector<XidLine>& xids) {
  std::string text;
  for (const XidLine& xid : xids) {
    text += (text.empty() ? "Xid " : ", ") + std::to_string(xid.number);
  }
  return text;
}

}  // namespace gpuwhy
