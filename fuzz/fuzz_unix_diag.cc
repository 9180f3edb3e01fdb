#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "os/unix_diag.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<gpuwhy::UnixPeer> peers;
  (void)gpuwhy::ParseUnixDiag(std::as_bytes(std::span(text)), peers);
  // Each socket takes a message header and a body of the datagram.
  if (peers.size() > size / 16) __builtin_trap();
  return 0;
}
