// The edge to files. Paths are absolute as the host sees them ("/proc/stat"); a FileTree puts a
// root before them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/reading.h"
#include "base/result.h"

namespace gpuwhy {

/// A file kept open and read from its start again and again (/proc files are made anew at each
/// read).
class OpenFile {
 public:
  OpenFile() = default;
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  virtual ~OpenFile() = default;
  /// Fills buffer from offset 0; returns the bytes read, at most its size. Error: errno (ESRCH
  /// where the process ended).
  virtual Result<std::size_t> Read(std::span<char> buffer) = 0;
};

/// Of a file system in memory.
struct MemorySpace {
  std::uint64_t size = 0, free = 0;  ///< bytes
};

class FileTree {
 public:
  static constexpr std::size_t kDefaultLimit = std::size_t{4} << 20U;

  FileTree() = default;
  FileTree(const FileTree&) = delete;
  FileTree& operator=(const FileTree&) = delete;
  virtual ~FileTree() = default;

  /// Whole content. Regular files and /proc, /sys only. Error: errno; EFBIG where it is longer than
  /// limit bytes.
  virtual Result<std::string> Read(const std::string& path, std::size_t limit = kDefaultLimit) = 0;
  virtual Result<std::unique_ptr<OpenFile>> Open(const std::string& path) = 0;
  /// Names in a folder without "." and "..", sorted.
  virtual Result<std::vector<std::string>> List(const std::string& path) = 0;
  /// Link text; never follows it (a stat through /proc/PID/fd/N hangs where the server hangs).
  virtual Result<std::string> ReadLink(const std::string& path) = 0;
  /// Size and room of the tmpfs whose top folder path is. Error: errno; ENOTSUP where another file
  /// system lies there, ENODATA where the tmpfs has no limit.
  virtual Result<MemorySpace> SpaceOf(const std::string& path) = 0;
};

/// The reading that a failed access yields: EACCES, EPERM -> no permission; ENOENT, ESRCH, ENOTDIR
/// -> not present; ENOSYS, EOPNOTSUPP, ENODEV -> not supported; ETIMEDOUT -> timed out; else
/// failed. detail = error.Text().
[[nodiscard]] Missing ToMissing(const Error& error);

}  // namespace gpuwhy
