// CRC-32C (Castagnoli, reflected, initial value and final xor all ones), as in iSCSI, RFC 3720 B.4.
#pragma once

#include <cstdint>
#include <string_view>

namespace gpuwhy {

[[nodiscard]] std::uint32_t Crc32c(std::string_view bytes);

}  // namespace gpuwhy
