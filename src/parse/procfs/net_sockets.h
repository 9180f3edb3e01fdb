// /proc/net/tcp, tcp6, udp, udp6: one row a socket.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuwhy {

/// An address and port as the kernel prints them; equal texts are equal ends.
struct SocketEnd {
  std::string address;  ///< hexadecimal words in the host's byte order: "0100007F"
  std::uint16_t port = 0;
  friend auto operator<=>(const SocketEnd&, const SocketEnd&) = default;
  [[nodiscard]] bool IsAny() const;  ///< all zero
};

struct NetSocket {
  SocketEnd local, remote;
  std::uint8_t state = 0;  ///< TCP_ESTABLISHED 1, TCP_LISTEN 10, ...
  std::uint64_t inode = 0;
  friend bool operator==(const NetSocket&, const NetSocket&) = default;
};
inline constexpr std::uint8_t kTcpListen = 10;

/// Rows without an inode (time-wait) are left out, as is what is not understood. An IPv4 address in
/// its IPv6 form becomes the IPv4 one, so that both ends of such a connection compare equal.
[[nodiscard]] std::vector<NetSocket> ParseNetSockets(std::string_view text);

/// "127.0.0.1:80", "[::1]:80". The words of end.address are taken as little-endian, as x86 and
/// aarch64 print them.
[[nodiscard]] std::string SocketEndText(const SocketEnd& end);

}  // namespace gpuwhy
