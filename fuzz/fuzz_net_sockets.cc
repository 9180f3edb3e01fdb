// Any bytes as the socket tables of a network namespace.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parse/procfs/net_sockets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const gpuwhy::NetSocket& socket : gpuwhy::ParseNetSockets(text)) {
    (void)gpuwhy::SocketEndText(socket.local);
  }
  return 0;
}
