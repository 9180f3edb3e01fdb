#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/i18n.h"
#include "os/sequential_file.h"

namespace gpuwhy {
namespace {

class RealSequentialFile final : public SequentialFile {
 public:
  RealSequentialFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  ~RealSequentialFile() override { close(fd_); }
  RealSequentialFile(const RealSequentialFile&) = delete;
  RealSequentialFile& operator=(const RealSequentialFile&) = delete;

  Result<std::size_t> Read(std::span<char> buffer) override {
    while (true) {
      const ssize_t got = read(fd_, buffer.data(), buffer.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) return Error{_("cannot read"), path_, errno};
    }
  }

 private:
  int fd_;
  std::string path_;
};

}  // namespace

Result<std::unique_ptr<SequentialFile>> OpenSequentialFile(const std::string& path) {
  // Not O_NONBLOCK: a FIFO's writer may still come.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return Error{_("cannot open"), path, errno};
  std::unique_ptr<SequentialFile> file = std::make_unique<RealSequentialFile>(fd, path);
  struct stat info {};
  if (fstat(fd, &info) != 0) return Error{_("cannot open"), path, errno};
  if (S_ISDIR(info.st_mode)) return Error{_("cannot read"), path, EISDIR};
  if (!S_ISREG(info.st_mode) && !S_ISFIFO(info.st_mode)) {
    return Error{_("not a file or pipe"), path, 0};
  }
  // Only a hint: that it is refused changes nothing.
  (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  return file;
}

}  // namespace gpuwhy
