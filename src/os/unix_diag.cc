#include "os/unix_diag.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "base/i18n.h"

namespace gpuwhy {
namespace {

// TCP_LISTEN: Unix sockets use the states of TCP.
constexpr unsigned kListening = 10;

std::size_t Aligned(std::size_t length) { return (length + 3) & ~std::size_t{3}; }

/// The struct at the front of bytes, copied: nothing says that they are aligned.
template <class T>
std::optional<T> Front(std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(T)) return std::nullopt;
  T value{};
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

/// Cuts a record of length bytes (padded to 4) off the front of rest.
std::span<const std::byte> Cut(std::span<const std::byte>& rest, std::size_t length) {
  const std::span<const std::byte> record = rest.first(length);
  rest = rest.subspan(std::min(Aligned(length), rest.size()));
  return record;
}

void AppendSocket(std::span<const std::byte> message, std::vector<UnixPeer>& peers) {
  const std::optional<unix_diag_msg> socket = Front<unix_diag_msg>(message);
  if (!socket) return;
  UnixPeer peer;
  peer.inode = socket->udiag_ino;
  peer.listening = socket->udiag_state == kListening;
  std::span<const std::byte> rest = message.subspan(sizeof(unix_diag_msg));
  for (std::optional<nlattr> attribute = Front<nlattr>(rest);
       attribute && attribute->nla_len >= sizeof(nlattr) && attribute->nla_len <= rest.size();
       attribute = Front<nlattr>(rest)) {
    const std::span<const std::byte> whole = Cut(rest, attribute->nla_len);
    if (attribute->nla_type != UNIX_DIAG_PEER) continue;
    peer.peer_inode = Front<std::uint32_t>(whole.subspan(sizeof(nlattr))).value_or(0);
  }
  peers.push_back(peer);
}

Error Refused(std::span<const std::byte> payload) {
  // nlmsgerr begins with the negative errno.
  const std::int32_t code = Front<std::int32_t>(payload).value_or(-EPROTO);
  return Error{_("the kernel did not list Unix sockets"), "sock_diag", code < 0 ? -code : EPROTO};
}

}  // namespace

Result<UnixDiagState> ParseUnixDiag(std::span<const std::byte> datagram,
                                    std::vector<UnixPeer>& peers) {
  std::span<const std::byte> rest = datagram;
  for (std::optional<nlmsghdr> header = Front<nlmsghdr>(rest);
       header && header->nlmsg_len >= sizeof(nlmsghdr) && header->nlmsg_len <= rest.size();
       header = Front<nlmsghdr>(rest)) {
    const std::span<const std::byte> payload =
        Cut(rest, header->nlmsg_len).subspan(sizeof(nlmsghdr));
    if (header->nlmsg_type == NLMSG_DONE) return UnixDiagState::kEnd;
    if (header->nlmsg_type == NLMSG_ERROR) return Refused(payload);
    if (header->nlmsg_type == SOCK_DIAG_BY_FAMILY) AppendSocket(payload, peers);
  }
  return UnixDiagState::kMore;
}

}  // namespace gpuwhy
