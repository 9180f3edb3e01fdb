#include "parse/procfs/pci_config.h"

#include <cstddef>
#include <cstdint>

namespace gpuwhy {
namespace {

// PCI Express Base Specification: extended capabilities begin at 0x100, each with its id in the low
// 16 bits and the offset of the next in the high 12; access control has id 0x0d, and its control
// register lies 6 bytes behind its start.
constexpr std::size_t kFirst = 0x100;
constexpr std::uint32_t kAccessControl = 0x0d;
constexpr std::size_t kControl = 6;
constexpr int kMostCapabilities = 64;

std::uint32_t Byte(std::string_view config, std::size_t at) {
  return static_cast<unsigned char>(config[at]);
}

}  // namespace

Reading<AccessControl> ParseAccessControl(std::string_view config) {
  if (config.size() < kFirst + 4) return {Why::kNoPermission, "config"};
  std::size_t at = kFirst;
  // A list that leads back to itself ends too.
  for (int i = 0; i < kMostCapabilities && at >= kFirst && at + 8 <= config.size(); ++i) {
    const std::uint32_t head = Byte(config, at) | Byte(config, at + 1) << 8U |
                               Byte(config, at + 2) << 16U | Byte(config, at + 3) << 24U;
    if ((head & 0xffffU) == kAccessControl) {
      const std::uint32_t control = Byte(config, at + kControl);
      return AccessControl{(control & 0x01U) != 0, (control & 0x04U) != 0, (control & 0x08U) != 0,
                           (control & 0x10U) != 0};
    }
    at = head >> 20U;
  }
  return {Why::kNotPresent, "ACS"};
}

std::string AsLspci(const AccessControl& control) {
  const auto sign = [](bool on) { return on ? "+" : "-"; };
  return std::string("ACSCtl: SrcValid") + sign(control.source_validation) + " ReqRedir" +
         sign(control.request_redirect) + " CmpltRedir" + sign(control.completion_redirect) +
         " UpstreamFwd" + sign(control.upstream_forwarding);
}

}  // namespace gpuwhy
