#include "os/real_kernel_ipc.h"

#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>

#include "base/i18n.h"
#include "os/real_file_descriptor.h"
#include "os/unix_diag.h"

namespace gpuwhy {
namespace {

// The kernel makes datagrams of at most 32 KiB for a dump.
constexpr std::size_t kDatagram = std::size_t{64} << 10U;
constexpr std::size_t kMaxPeers = 1'000'000;
// The kernel answers a dump at once; this only keeps a kernel that does not from holding us.
constexpr timeval kAnswerTimeout{0, 500'000};

struct DumpRequest {
  nlmsghdr header;
  unix_diag_req body;
};

Error DumpError(int sys_errno) {
  return Error{_("the kernel did not list Unix sockets"), "sock_diag",
               sys_errno == EAGAIN ? ETIMEDOUT : sys_errno};
}

Status Ask(int socket) {
  DumpRequest request{};
  request.header.nlmsg_len = sizeof(request);
  request.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
  request.body.sdiag_family = AF_UNIX;
  request.body.udiag_states = ~0U;
  request.body.udiag_show = UDIAG_SHOW_PEER;
  if (::send(socket, &request, sizeof(request), 0) < 0) return DumpError(errno);
  return Done{};
}

}  // namespace

Result<std::vector<UnixPeer>> RealKernelIpc::UnixPeers() {
  const FileDescriptor socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  if (socket.Get() < 0) return DumpError(errno);
  if (::setsockopt(socket.Get(), SOL_SOCKET, SO_RCVTIMEO, &kAnswerTimeout,
                   sizeof(kAnswerTimeout)) != 0) {
    return DumpError(errno);
  }
  const Status asked = Ask(socket.Get());
  if (!asked) return asked.error();
  std::vector<UnixPeer> peers;
  std::vector<std::byte> datagram(kDatagram);
  while (peers.size() < kMaxPeers) {
    const ssize_t got = ::recv(socket.Get(), datagram.data(), datagram.size(), MSG_TRUNC);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return DumpError(errno);
    if (static_cast<std::size_t>(got) > datagram.size()) return DumpError(EMSGSIZE);
    const Result<UnixDiagState> state =
        ParseUnixDiag(std::span(datagram).first(static_cast<std::size_t>(got)), peers);
    if (!state) return state.error();
    if (*state == UnixDiagState::kEnd) return peers;
  }
  return DumpError(EFBIG);
}

Result<std::int32_t> RealKernelIpc::SysvSemLastPid(std::int32_t id, std::int32_t number) {
  const int pid = ::semctl(id, number, GETPID);
  if (pid < 0)
    return Error{_("the last user of a semaphore is not known"),
                 Format("semctl({}, {})", id, number), errno};
  return pid;
}

}  // namespace gpuwhy
