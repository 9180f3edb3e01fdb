#include "os/real_host.h"

#include <cerrno>

#include "base/i18n.h"
#include "os/real_clock.h"
#include "os/real_file_tree.h"
#include "os/real_kernel_ipc.h"
#include "os/real_process_memory.h"

namespace gpuwhy {
namespace {

Error NotRecorded(const char* where) {
  return Error{_("is not part of a recorded file tree"), where, ENOSYS};
}

class NoProcessMemory final : public ProcessMemory {
 public:
  Result<std::size_t> Read(std::int32_t /*pid*/, std::uint64_t /*address*/,
                           std::span<char> /*out*/) override {
    return NotRecorded("process memory");
  }
};

class NoKernelIpc final : public KernelIpc {
 public:
  Result<std::vector<UnixPeer>> UnixPeers() override { return NotRecorded("sock_diag"); }
  Result<std::int32_t> SysvSemLastPid(std::int32_t /*id*/, std::int32_t /*number*/) override {
    return NotRecorded("semctl");
  }
};

}  // namespace

HostEdge::HostEdge(const std::string& root)
    : files_(std::make_unique<RealFileTree>(root)), clock_(std::make_unique<RealClock>()) {
  // Any other spelling of "/" counts as recorded: that loses data, the opposite would mix machines.
  if (root.find_first_not_of('/') == std::string::npos) {
    memory_ = std::make_unique<RealProcessMemory>();
    ipc_ = std::make_unique<RealKernelIpc>();
  } else {
    memory_ = std::make_unique<NoProcessMemory>();
    ipc_ = std::make_unique<NoKernelIpc>();
  }
}

}  // namespace gpuwhy
