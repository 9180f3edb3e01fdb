#include "os/real_process_memory.h"

#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>

#include "base/i18n.h"

namespace gpuwhy {
namespace {

// The smallest page of any machine: a piece that does not cross such a boundary lies in one page.
constexpr std::uint64_t kPage = 4096;
constexpr std::size_t kPieces = 64;

}  // namespace

Result<std::size_t> RealProcessMemory::Read(std::int32_t pid, std::uint64_t address,
                                            std::span<char> out) {
  const std::string where = Format("/proc/{}/mem", pid);
  if (pid <= 0) return Error{_("cannot be read"), where, ESRCH};
  std::size_t done = 0;
  while (done < out.size()) {
    // A transfer stops before the first piece that it can't read, so each piece is one page: what
    // comes before an unmapped page arrives.
    std::array<iovec, kPieces> pieces{};
    std::size_t count = 0;
    std::size_t asked = 0;
    while (count < kPieces && done + asked < out.size()) {
      const std::uint64_t from = address + done + asked;
      if (from < address) break;  // beyond the end of the address space
      const std::size_t length =
          std::min<std::size_t>(kPage - from % kPage, out.size() - done - asked);
      // std::bit_cast: the address is the other process's and never dereferenced here.
      pieces.at(count++) = {std::bit_cast<void*>(from), length};
      asked += length;
    }
    const iovec to{out.data() + done, asked};
    const ssize_t got = ::process_vm_readv(pid, &to, 1, pieces.data(), count, 0);
    if (got < 0 && done == 0) return Error{_("cannot be read"), where, errno};
    if (got > 0) done += static_cast<std::size_t>(got);
    if (got < 0 || static_cast<std::size_t>(got) < asked || asked == 0) break;
  }
  return done;
}

}  // namespace gpuwhy
