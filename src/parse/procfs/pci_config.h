// The configuration space of a PCI function, as /sys/bus/pci/devices/ADDRESS/config gives it.
#pragma once

#include <string>
#include <string_view>

#include "base/reading.h"

namespace gpuwhy {

/// Access control services: what a port does with requests of devices behind it.
struct AccessControl {
  bool source_validation = false, request_redirect = false, completion_redirect = false,
       upstream_forwarding = false;
  friend bool operator==(const AccessControl&, const AccessControl&) = default;
};

/// Missing{kNotPresent}: the function has none; Missing{kNoPermission}: the text ends before the
/// place where it would stand, which is what others than root get to read.
[[nodiscard]] Reading<AccessControl> ParseAccessControl(std::string_view config);

/// "ACSCtl: SrcValid+ ReqRedir- CmpltRedir- UpstreamFwd+": lspci's words, so that both look alike.
[[nodiscard]] std::string AsLspci(const AccessControl& control);

}  // namespace gpuwhy
