#include "parse/procfs/net_sockets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kIpv4Digits = 8, kIpv6Digits = 32;
// ::ffff:a.b.c.d, as little-endian words.
constexpr std::string_view kMapped = "0000000000000000FFFF0000";

bool IsHex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
  });
}

std::optional<SocketEnd> ParseEnd(std::string_view text) {
  std::string_view address = NextToken(text, ':');
  const std::optional<std::uint16_t> port = ParseNumber<std::uint16_t>(text, 16);
  if (!port || (address.size() != kIpv4Digits && address.size() != kIpv6Digits) || !IsHex(address))
    return std::nullopt;
  if (address.size() == kIpv6Digits && address.substr(0, kMapped.size()) == kMapped)
    address.remove_prefix(kMapped.size());
  return SocketEnd{std::string(address), *port};
}

std::optional<NetSocket> ParseRow(std::string_view line) {
  // sl local remote st tx:rx tr:when retrnsmt uid timeout inode
  const std::vector<std::string_view> fields = Fields(line);
  if (fields.size() < 10 || fields[0].back() != ':') return std::nullopt;
  std::optional<SocketEnd> local = ParseEnd(fields[1]);
  std::optional<SocketEnd> remote = ParseEnd(fields[2]);
  const std::optional<std::uint8_t> state = ParseNumber<std::uint8_t>(fields[3], 16);
  const std::optional<std::uint64_t> inode = ParseNumber<std::uint64_t>(fields[9]);
  if (!local || !remote || !state || !inode || *inode == 0) return std::nullopt;
  return NetSocket{std::move(*local), std::move(*remote), *state, *inode};
}

// The bytes in network order.
std::vector<unsigned> BytesOf(std::string_view address) {
  std::vector<unsigned> bytes;
  for (std::size_t word = 0; word + kIpv4Digits <= address.size(); word += kIpv4Digits) {
    for (std::size_t i = kIpv4Digits; i >= 2; i -= 2)
      bytes.push_back(ParseNumber<unsigned>(address.substr(word + i - 2, 2), 16).value_or(0));
  }
  return bytes;
}

// The longest run of zero groups becomes "::" (RFC 5952).
std::string Ipv6Text(const std::vector<unsigned>& bytes) {
  std::array<unsigned, 8> groups{};
  for (std::size_t i = 0; i < groups.size(); ++i)
    groups.at(i) = bytes[2 * i] * 256 + bytes[2 * i + 1];
  std::size_t best = 0;
  std::size_t best_length = 1;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::size_t length = 0;
    while (i + length < groups.size() && groups.at(i + length) == 0) ++length;
    if (length > best_length) {
      best = i;
      best_length = length;
    }
  }
  if (best_length < 2) return fmt::format("{:x}", fmt::join(groups, ":"));
  const auto* const middle = groups.data() + best;
  return fmt::format("{:x}::{:x}", fmt::join(groups.data(), middle, ":"),
                     fmt::join(middle + best_length, groups.data() + groups.size(), ":"));
}

}  // namespace

bool SocketEnd::IsAny() const {
  return std::all_of(address.begin(), address.end(), [](char c) { return c == '0'; });
}

std::vector<NetSocket> ParseNetSockets(std::string_view text) {
  std::vector<NetSocket> sockets;
  while (!text.empty()) {
    if (std::optional<NetSocket> row = ParseRow(NextLine(text))) sockets.push_back(std::move(*row));
  }
  return sockets;
}

std::string SocketEndText(const SocketEnd& end) {
  const std::vector<unsigned> bytes = BytesOf(end.address);
  if (bytes.size() == 4) return fmt::format("{}:{}", fmt::join(bytes, "."), end.port);
  if (bytes.size() == 16) return fmt::format("[{}]:{}", Ipv6Text(bytes), end.port);
  return {};
}

}  // namespace gpuwhy
