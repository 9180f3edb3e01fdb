// Descriptors of a process as text: the link /proc/PID/fd/N and /proc/PID/fdinfo/N. They are never
// opened or stat'ed: that hangs where the file system behind them hangs.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/reading.h"
#include "capture/samples.h"

namespace gpuwhy {

struct FdInfo {
  FdAccess access = FdAccess::kUnknown;
  std::int32_t mount_id = 0;  ///< 0: not in the text
  std::uint64_t inode = 0;    ///< 0: not in the text (kernels before 5.14)
  std::int64_t eventfd_id = -1;
  Reading<std::uint64_t> eventfd_count;
  std::vector<std::int32_t> epoll_targets;
};

/// Never fails: each line stands for itself. At most 4096 epoll targets are kept.
[[nodiscard]] FdInfo ParseFdInfo(std::string_view text);

enum class FdLinkKind : unsigned char { kFile, kPipe, kSocket, kAnonymous, kOther };

struct FdLink {
  FdLinkKind kind = FdLinkKind::kOther;
  std::uint64_t inode = 0;  ///< pipe:[N], socket:[N]; else 0
};

/// kFile: an absolute path (also FIFOs, devices and what was deleted).
[[nodiscard]] FdLink ParseFdLink(std::string_view link);

}  // namespace gpuwhy
