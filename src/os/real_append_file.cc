#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "base/i18n.h"
#include "os/append_file.h"

namespace gpuwhy {
namespace {

constexpr mode_t kOwnerOnly = 0600;  // a recording holds paths and process names

class RealAppendFile : public AppendFile {
 public:
  RealAppendFile(int descriptor, std::string path)
      : descriptor_(descriptor), path_(std::move(path)) {}
  RealAppendFile(const RealAppendFile&) = delete;
  RealAppendFile& operator=(const RealAppendFile&) = delete;
  ~RealAppendFile() override {
    if (descriptor_ >= 0) close(descriptor_);
  }

  [[nodiscard]] Status Append(std::string_view bytes) override {
    if (descriptor_ < 0) return Error{_("the file is closed already"), path_, EBADF};
    while (!bytes.empty()) {
      const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return Error{_("cannot write to the file"), path_, errno};
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return Done{};
  }

  [[nodiscard]] Status Close() override {
    if (descriptor_ < 0) return Done{};
    int failed = 0;
    // A pipe or terminal has no medium to wait for, and says so with EINVAL or ENOTSUP.
    while (fsync(descriptor_) != 0) {
      if (errno == EINTR) continue;
      if (errno != EINVAL && errno != ENOTSUP) failed = errno;
      break;
    }
    // close() is not tried again: on Linux the descriptor is gone even after EINTR.
    if (close(std::exchange(descriptor_, -1)) != 0 && failed == 0 && errno != EINTR) failed = errno;
    if (failed != 0) return Error{_("the file may be incomplete on its disk"), path_, failed};
    return Done{};
  }

 private:
  int descriptor_;
  std::string path_;
};

/// Makes an open file this process's own, and empty. The lock goes with the descriptor.
Status Claim(int descriptor, const std::string& path) {
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) != 0) {
    return Error{_("cannot create the file"), path, errno};
  }
  struct stat info {};
  if (fstat(descriptor, &info) != 0) return Error{_("cannot create the file"), path, errno};
  if (!S_ISREG(info.st_mode)) return Done{};
  // Some network file systems have no locks: then it can't be told, and is no reason to refuse.
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return Error{_("another process is recording into this file"), path, 0};
  }
  if (ftruncate(descriptor, 0) != 0) return Error{_("cannot create the file"), path, errno};
  return Done{};
}

}  // namespace

Result<std::unique_ptr<AppendFile>> CreateAppendFile(const std::string& path) {
  int descriptor = -1;
  do {
    // Not O_TRUNC: another may be writing to it. O_NONBLOCK: a FIFO that nobody reads is an error
    // (ENXIO), not a wait without end.
    descriptor =
        open(path.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, kOwnerOnly);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) return Error{_("cannot create the file"), path, errno};
  std::unique_ptr<AppendFile> file = std::make_unique<RealAppendFile>(descriptor, path);
  if (Status status = Claim(descriptor, path); !status) return status.error();
  return file;
}

}  // namespace gpuwhy
