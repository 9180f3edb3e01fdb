#include "cli/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
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

}  // namespace

NamedFile::NamedFile(const std::string& path)
    : name_(path == "-" ? std::string(_("standard input")) : Printable(path)),
      owned_(path != "-"),
      fd_(owned_ ? open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY) : STDIN_FILENO),
      failed_(fd_ < 0 ? errno : 0) {}

NamedFile::~NamedFile() {
  if (owned_ && fd_ >= 0) close(fd_);
}

std::size_t NamedFile::Size() const {
  struct stat about {};
  if (fd_ < 0 || fstat(fd_, &about) != 0 || !S_ISREG(about.st_mode)) return 0;
  return static_cast<std::size_t>(about.st_size);
}

Status NamedFile::Read(std::size_t most, std::string& bytes) {
  if (fd_ < 0) return Error{_("cannot open"), name_, failed_};
  const int failed = ReadUpTo(fd_, bytes.size() + most, bytes);
  if (failed != 0) return Error{_("cannot read"), name_, failed};
  return Done{};
}

Result<std::string> ReadNamedFile(const std::string& path, bool (*is_wanted)(std::string_view),
                                  std::size_t largest) {
  NamedFile file(path);
  std::string bytes;
  Status read = file.Read(std::min(kFirstLook, largest + 1), bytes);
  if (read.ok() && (is_wanted == nullptr || is_wanted(bytes))) {
    read = file.Read(largest + 1 - bytes.size(), bytes);
  }
  if (!read.ok()) return read.error();
  if (bytes.size() > largest) return Error{_("cannot read"), file.Name(), EFBIG};
  return bytes;
}

}  // namespace gpuwhy
