// Socket peers and semaphore users by table, for tests.
#pragma once

#include <cerrno>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "os/kernel_ipc.h"

namespace gpuwhy {

/// Fill it before it is shared between threads.
class FakeKernelIpc final : public KernelIpc {
 public:
  void AddPeer(const UnixPeer& peer) { peers_.push_back(peer); }
  void SetLastPid(std::int32_t id, std::int32_t number, std::int32_t pid) {
    last_pids_[{id, number}] = pid;
  }
  void FailUnixPeers(int sys_errno) { unix_failure_ = sys_errno; }

  Result<std::vector<UnixPeer>> UnixPeers() override {
    if (unix_failure_)
      return Error{"the kernel did not list Unix sockets", "sock_diag", *unix_failure_};
    return peers_;
  }
  Result<std::int32_t> SysvSemLastPid(std::int32_t id, std::int32_t number) override {
    const auto pid = last_pids_.find({id, number});
    if (pid == last_pids_.end())
      return Error{"the last user of a semaphore is not known", "semctl", EINVAL};
    return pid->second;
  }

 private:
  std::vector<UnixPeer> peers_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> last_pids_;
  std::optional<int> unix_failure_;
};

}  // namespace gpuwhy
