#include "collect/procfs/socket_table.h"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <utility>

#include "collect/procfs/proc_paths.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kTableLimit = std::size_t{16} << 20U;  // about 100,000 sockets

// Rows of the IPv4 and the IPv6 table together: a connection over a mapped address has one end in
// each.
Result<std::vector<NetSocket>> ReadRows(FileTree& files, std::int32_t pid, SocketKind kind) {
  const std::string_view name = kind == SocketKind::kTcp ? "net/tcp" : "net/udp";
  const Result<std::string> text = files.Read(ProcessPath(pid, name), kTableLimit);
  if (!text) return text.error();
  std::vector<NetSocket> rows = ParseNetSockets(*text);
  // Absent where IPv6 is off.
  const Result<std::string> text6 = files.Read(ProcessPath(pid, name) + "6", kTableLimit);
  if (text6) {
    for (NetSocket& row : ParseNetSockets(*text6)) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::vector<SocketSeen> SocketTable::Refresh(const std::set<std::uint64_t>& inodes,
                                             const std::vector<std::int32_t>& pids,
                                             std::vector<Missing>& missing) {
  std::vector<SocketSeen> out;
  std::erase_if(known_, [&](const std::pair<const std::uint64_t, SocketSeen>& known) {
    return !inodes.contains(known.first);
  });
  if (inodes.empty()) return out;
  AddUnix(inodes, out, missing);
  for (const std::int32_t pid : pids) {
    AddNet(inodes, pid, SocketKind::kTcp, out, missing);
    AddNet(inodes, pid, SocketKind::kUdp, out, missing);
  }
  return out;
}

void SocketTable::AddUnix(const std::set<std::uint64_t>& inodes, std::vector<SocketSeen>& out,
                          std::vector<Missing>& missing) {
  const Result<std::vector<UnixPeer>> peers = host_.ipc.UnixPeers();
  if (!peers) {
    missing.push_back(ToMissing(peers.error()));
    return;
  }
  const MonoTime now = host_.clock.Now();
  for (const UnixPeer& peer : *peers) {
    if (!inodes.contains(peer.inode)) continue;
    Emit({now, peer.inode, SocketKind::kUnix, peer.peer_inode, peer.listening, false, kNoName},
         out);
  }
}

void SocketTable::AddNet(const std::set<std::uint64_t>& inodes, std::int32_t pid, SocketKind kind,
                         std::vector<SocketSeen>& out, std::vector<Missing>& missing) {
  const Result<std::vector<NetSocket>> rows = ReadRows(host_.files, pid, kind);
  if (!rows) {
    const Missing why = ToMissing(rows.error());
    if (why.why != Why::kNotPresent) missing.push_back(why);  // the process ended, or no UDP here
    return;
  }
  const MonoTime now = host_.clock.Now();
  std::map<std::pair<SocketEnd, SocketEnd>, std::uint64_t> by_ends;
  std::set<std::uint16_t> served;
  for (const NetSocket& row : *rows) {
    by_ends.emplace(std::pair(row.local, row.remote), row.inode);
    if (kind == SocketKind::kTcp && row.state == kTcpListen) served.insert(row.local.port);
  }
  for (const NetSocket& row : *rows) {
    if (!inodes.contains(row.inode)) continue;
    SocketSeen seen{now, row.inode, kind, 0, false, false, kNoName};
    seen.listening = kind == SocketKind::kTcp && row.state == kTcpListen;
    if (!row.remote.IsAny()) {
      const auto peer = by_ends.find(std::pair(row.remote, row.local));
      if (peer != by_ends.end()) seen.peer_inode = peer->second;
      seen.server_side = served.contains(row.local.port);
      seen.remote = interner_.Intern(SocketEndText(row.remote));
    }
    Emit(seen, out);
  }
}

void SocketTable::Emit(const SocketSeen& seen, std::vector<SocketSeen>& out) {
  const auto known = known_.find(seen.inode);
  if (known != known_.end()) {
    SocketSeen before = known->second;
    before.at = seen.at;
    if (before == seen) return;
  }
  known_[seen.inode] = seen;
  out.push_back(seen);
}

}  // namespace gpuwhy
