// The kernel's answer to a dump of Unix sockets (sock_diag), as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "os/kernel_ipc.h"

namespace gpuwhy {

/// Whether more datagrams follow.
enum class UnixDiagState : unsigned char { kMore, kEnd };

/// Appends the sockets of one datagram. Pure: bytes that are cut short or of another kind end or
/// are skipped. Error: what the kernel refused (EACCES, ENOENT where unix_diag is not built in).
[[nodiscard]] Result<UnixDiagState> ParseUnixDiag(std::span<const std::byte> datagram,
                                                  std::vector<UnixPeer>& peers);

}  // namespace gpuwhy
