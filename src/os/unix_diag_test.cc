#include "os/unix_diag.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace gpuwhy {
namespace {

template <class T>
void Put(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

std::string Message(std::uint16_t type, const std::string& payload) {
  std::string out;
  Put(out, nlmsghdr{static_cast<std::uint32_t>(sizeof(nlmsghdr) + payload.size()), type, 0, 1, 0});
  return out + payload;
}

std::string Socket(std::uint32_t inode, std::uint8_t state, std::uint32_t peer) {
  std::string payload;
  unix_diag_msg body{};
  body.udiag_state = state;
  body.udiag_ino = inode;
  Put(payload, body);
  if (peer != 0) {
    Put(payload, nlattr{5, UNIX_DIAG_SHUTDOWN});  // one byte and three of padding
    Put(payload, std::uint32_t{0});
    Put(payload, nlattr{8, UNIX_DIAG_PEER});
    Put(payload, peer);
  }
  return Message(SOCK_DIAG_BY_FAMILY, payload);
}

std::span<const std::byte> Bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

TEST(UnixDiag, ReadsSocketsWithAndWithoutPeers) {
  std::vector<UnixPeer> peers;
  const std::string datagram = Socket(7, 1, 8) + Socket(9, 10, 0);
  EXPECT_EQ(*ParseUnixDiag(Bytes(datagram), peers), UnixDiagState::kMore);
  ASSERT_EQ(peers.size(), 2U);
  EXPECT_EQ(peers[0].inode, 7U);
  EXPECT_EQ(peers[0].peer_inode, 8U);
  EXPECT_FALSE(peers[0].listening);
  EXPECT_EQ(peers[1].inode, 9U);
  EXPECT_EQ(peers[1].peer_inode, 0U);
  EXPECT_TRUE(peers[1].listening);
}

TEST(UnixDiag, EndsAtDoneAndAtErrors) {
  std::vector<UnixPeer> peers;
  const std::string done = Message(NLMSG_DONE, std::string(4, '\0')) + Socket(7, 1, 8);
  EXPECT_EQ(*ParseUnixDiag(Bytes(done), peers), UnixDiagState::kEnd);
  EXPECT_TRUE(peers.empty());
  std::string code;
  Put(code, std::int32_t{-ENOENT});
  const std::string refused = Message(NLMSG_ERROR, code);
  EXPECT_EQ(ParseUnixDiag(Bytes(refused), peers).error().sys_errno, ENOENT);
}

TEST(UnixDiag, IgnoresWhatIsCutShort) {
  const std::string datagram = Socket(7, 1, 8);
  for (std::size_t length = 0; length < datagram.size(); ++length) {
    std::vector<UnixPeer> peers;
    const std::string cut = datagram.substr(0, length);
    EXPECT_EQ(*ParseUnixDiag(Bytes(cut), peers), UnixDiagState::kMore) << length;
    EXPECT_TRUE(peers.empty()) << length;
  }
}

}  // namespace
}  // namespace gpuwhy
