#include "cli/read_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/i18n.h"
#include "base/text.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kFirstLook = std::size_t{64} << 10U;
constexpr std::size_t kChunk = std::size_t{1} << 20U;

// Appends up to limit bytes in all; returns errno, 0 at the end of the file or at the limit.
int ReadUpTo(int fd, std::size_t limit, std::string& bytes) {
  while (bytes.size() < limit) {
    const std::size_t held = bytes.size();
    bytes.resize(std::min(limit, held + kChunk));
    const ssize_t got = read(fd, bytes.data() + held, bytes.size() - held);
    const int failed = got < 0 ? errno : 0;
    bytes.resize(held + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (failed == EINTR) continue;
    if (got <= 0) return failed;
  }
  return 0;
}

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : owned_(path != "-"),
        fd_(owned_ ? open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY) : STDIN_FILENO) {}
  ~Descriptor() {
    if (owned_ && fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int Number() const { return fd_; }

 private:
  bool owned_;
  int fd_;
};

}  // namespace

Result<std::string> ReadNamedFile(const std::string& path, bool (*is_wanted)(std::string_view),
                                  std::size_t largest) {
  const std::string name = path == "-" ? std::string(_("standard input")) : Printable(path);
  const Descriptor file(path);
  if (file.Number() < 0) return Error{_("cannot open"), name, errno};
  std::string bytes;
  int failed = ReadUpTo(file.Number(), std::min(kFirstLook, largest + 1), bytes);
  if (failed == 0 && (is_wanted == nullptr || is_wanted(bytes))) {
    failed = ReadUpTo(file.Number(), largest + 1, bytes);
  }
  if (failed != 0) return Error{_("cannot read"), name, failed};
  if (bytes.size() > largest) return Error{_("cannot read"), name, EFBIG};
  return bytes;
}

}  // namespace gpuwhy
