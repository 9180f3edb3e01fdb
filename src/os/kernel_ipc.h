// The edge to what the kernel knows of IPC objects beyond /proc: Unix socket peers and System V
// semaphores.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"

namespace gpuwhy {

struct UnixPeer {
  std::uint64_t inode = 0;
  std::uint64_t peer_inode = 0;  ///< 0 where the socket has no peer (listening or unconnected)
  bool listening = false;
};

class KernelIpc {
 public:
  KernelIpc() = default;
  KernelIpc(const KernelIpc&) = delete;
  KernelIpc& operator=(const KernelIpc&) = delete;
  virtual ~KernelIpc() = default;

  /// All Unix sockets of this network namespace with their peers, by sock_diag (needs no rights).
  virtual Result<std::vector<UnixPeer>> UnixPeers() = 0;
  /// Last process that operated on semaphore `number` of System V set `id` (semctl GETPID).
  virtual Result<std::int32_t> SysvSemLastPid(std::int32_t id, std::int32_t number) = 0;
};

}  // namespace gpuwhy
