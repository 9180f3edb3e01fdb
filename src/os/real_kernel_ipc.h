// What this machine's kernel says of Unix sockets and System V semaphores.
#pragma once

#include "os/kernel_ipc.h"

namespace gpuwhy {

/// Stateless: safe for concurrent use. Sees the network and IPC namespaces of the tool itself.
class RealKernelIpc final : public KernelIpc {
 public:
  Result<std::vector<UnixPeer>> UnixPeers() override;
  Result<std::int32_t> SysvSemLastPid(std::int32_t id, std::int32_t number) override;
};

}  // namespace gpuwhy
