#include "os/real_file_tree.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/i18n.h"
#include "os/real_file_descriptor.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kFirstChunk = std::size_t{16} << 10U;
// The kernel makes no longer link text than a page of 4096 bytes (64 KiB pages aside).
constexpr std::size_t kMaxLink = std::size_t{64} << 10U;
// /proc has at most 4 million entries (pid_max); a folder beyond that is not one that we look at.
constexpr std::size_t kMaxNames = std::size_t{5'000'000};

Error ReadError(const std::string& path, int sys_errno) {
  return Error{_("cannot be read"), path, sys_errno};
}

// A C string ends at its first NUL: such a path would name another file than the one asked for.
bool HasNul(const std::string& path) { return path.find('\0') != std::string::npos; }

/// An open regular file (procfs and sysfs say that theirs are). O_NONBLOCK: opening a FIFO or a
/// modem line would wait for its other end.
Result<FileDescriptor> OpenRegular(const std::string& shown, const std::string& full) {
  if (HasNul(full)) return ReadError(shown, EINVAL);
  FileDescriptor file(::open(full.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (file.Get() < 0) return ReadError(shown, errno);
  struct stat status {};
  if (::fstat(file.Get(), &status) != 0) return ReadError(shown, errno);
  if (S_ISDIR(status.st_mode)) return ReadError(shown, EISDIR);
  if (!S_ISREG(status.st_mode)) return Error{_("is not a regular file"), shown, EINVAL};
  return file;
}

/// Fills buffer from the file's start until it is full or the file ends. One read is not enough: a
/// /proc table comes in pieces of about a page. Returns the length, or -1 with errno set.
ssize_t ReadFromStart(int fd, std::span<char> buffer) {
  std::size_t filled = 0;
  while (filled < buffer.size()) {
    const ssize_t got =
        ::pread(fd, buffer.data() + filled, buffer.size() - filled, static_cast<off_t>(filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(filled);
}

class RealOpenFile final : public OpenFile {
 public:
  RealOpenFile(FileDescriptor file, std::string path)
      : file_(std::move(file)), path_(std::move(path)) {}

  Result<std::size_t> Read(std::span<char> buffer) override {
    const ssize_t got = ReadFromStart(file_.Get(), buffer);
    if (got < 0) return ReadError(path_, errno);
    return static_cast<std::size_t>(got);
  }

 private:
  FileDescriptor file_;
  std::string path_;
};

}  // namespace

RealFileTree::RealFileTree(std::string root) : root_(std::move(root)) {
  while (!root_.empty() && root_.back() == '/') root_.pop_back();
}

std::string RealFileTree::Under(const std::string& path) const {
  return path.starts_with('/') ? root_ + path : root_ + "/" + path;
}

Result<std::string> RealFileTree::Read(const std::string& path, std::size_t limit) {
  const Result<FileDescriptor> file = OpenRegular(path, Under(path));
  if (!file) return file.error();
  std::string content;
  std::size_t filled = 0;
  while (true) {
    if (filled == content.size()) {
      if (filled > limit) return ReadError(path, EFBIG);
      // One byte more than the limit tells a file that fits from one that does not.
      content.resize(std::min(std::max(kFirstChunk, filled * 2), limit + 1));
    }
    const ssize_t got = ::read(file->Get(), content.data() + filled, content.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ReadError(path, errno);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  content.resize(filled);
  return content;
}

Result<std::unique_ptr<OpenFile>> RealFileTree::Open(const std::string& path) {
  Result<FileDescriptor> file = OpenRegular(path, Under(path));
  if (!file) return file.error();
  return std::unique_ptr<OpenFile>(std::make_unique<RealOpenFile>(*std::move(file), path));
}

Result<std::vector<std::string>> RealFileTree::List(const std::string& path) {
  const std::string full = Under(path);
  if (HasNul(full)) return ReadError(path, EINVAL);
  std::error_code error;
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator entry(full, error), end; !error && entry != end;
       entry.increment(error)) {
    if (names.size() == kMaxNames) return ReadError(path, EFBIG);
    names.push_back(entry->path().filename().string());
  }
  if (error) return ReadError(path, error.value());
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::string> RealFileTree::ReadLink(const std::string& path) {
  const std::string full = Under(path);
  if (HasNul(full)) return ReadError(path, EINVAL);
  std::string text(512, '\0');
  while (true) {
    const ssize_t got = ::readlink(full.c_str(), text.data(), text.size());
    if (got < 0) return ReadError(path, errno);
    const auto length = static_cast<std::size_t>(got);
    if (length < text.size()) {
      text.resize(length);
      return text;
    }
    if (text.size() >= kMaxLink) return ReadError(path, ENAMETOOLONG);
    text.resize(text.size() * 8);
  }
}

Result<MemorySpace> RealFileTree::SpaceOf(const std::string& path) {
  const std::string full = Under(path);
  if (HasNul(full)) return ReadError(path, EINVAL);
  // O_PATH asks nothing of what lies there, and a link in its place is not followed.
  const FileDescriptor folder(::open(full.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (folder.Get() < 0) return ReadError(path, errno);
  struct statfs status {};
  if (::fstatfs(folder.Get(), &status) != 0) return ReadError(path, errno);
  if (status.f_type != TMPFS_MAGIC) return ReadError(path, ENOTSUP);
  if (status.f_blocks == 0) return ReadError(path, ENODATA);
  const auto block = static_cast<std::uint64_t>(status.f_bsize);
  return MemorySpace{status.f_blocks * block, status.f_bavail * block};
}

}  // namespace gpuwhy
