#include "cli/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/i18n.h"
#include "base/text.h"

namespace gpuwhy {
namespace {

Error CannotWrite(const std::string& path, int sys_errno) {
  return {_("cannot write"), Printable(path), sys_errno};
}

// To a terminal, another device of characters, or a pipe.
Status WriteDirectly(const std::string& path, mode_t type, std::string_view text) {
  if (!S_ISCHR(type) && !S_ISFIFO(type) && !S_ISDIR(type)) {
    return Error{_("not a file, pipe or terminal: nothing is written to it"), Printable(path), 0};
  }
  // O_NONBLOCK: a FIFO that nobody reads is an error (ENXIO), not a wait without end.
  const int fd = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (fd < 0 && errno == ENXIO && S_ISFIFO(type)) {
    return Error{_("nobody reads this pipe"), Printable(path), 0};
  }
  if (fd < 0) return CannotWrite(path, errno);
  (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  Status status = WriteAll(fd, text, path);
  if (close(fd) != 0 && status.ok()) status = CannotWrite(path, errno);
  return status;
}

// Where the links lead to, even where nothing is there yet.
std::string LinkTarget(std::string path) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 40;  // of the kernel
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code is_no_link;
    const fs::path next = fs::read_symlink(path, is_no_link);
    if (is_no_link) break;
    path = (fs::path(path).parent_path() / next).string();
  }
  return path;
}

Status FinishTemporary(int fd, std::string_view text, const std::string& path) {
  Status status = WriteAll(fd, text, path);
  // fsync before rename: after a power cut there must not be an empty file in the old one's place.
  if (status.ok() && fsync(fd) != 0) status = CannotWrite(path, errno);
  if (close(fd) != 0 && status.ok()) status = CannotWrite(path, errno);
  return status;
}

// An old file that can't be replaced by a new one that is like it. Not O_TRUNC: the old text goes
// where the new one stands, and no earlier.
Status WriteInPlace(const std::string& path, std::string_view text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return CannotWrite(path, errno);
  Status status = WriteAll(fd, text, path);
  if (status.ok() && ftruncate(fd, static_cast<off_t>(text.size())) != 0) {
    status = CannotWrite(path, errno);
  }
  if (close(fd) != 0 && status.ok()) status = CannotWrite(path, errno);
  return status;
}

// False: the new file can't get the owner of the old one.
bool MakeAlike(int fd, const struct stat& old) {
  constexpr mode_t kPermissions = 0777;
  struct stat made {};
  if (fstat(fd, &made) != 0) return false;
  const bool same_owner = made.st_uid == old.st_uid && made.st_gid == old.st_gid;
  // The owner first: a change of it may take bits of the mode away.
  return (same_owner || fchown(fd, old.st_uid, old.st_gid) == 0) &&
         fchmod(fd, old.st_mode & kPermissions) == 0;
}

// old: what is at path; nullptr: nothing.
Status Replace(const std::string& path, const struct stat* old, std::string_view text) {
  const std::string temporary = path + ".tmp." + std::to_string(getpid());
  const mode_t mode = old == nullptr ? 0666 : 0600;
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  // A folder in which no file may be made can hold one that may be written to.
  if (fd < 0 && old != nullptr && errno == EACCES) return WriteInPlace(path, text);
  if (fd < 0) return CannotWrite(path, errno);
  if (old != nullptr && !MakeAlike(fd, *old)) {
    close(fd);
    unlink(temporary.c_str());
    return WriteInPlace(path, text);
  }
  Status status = FinishTemporary(fd, text, path);
  if (status.ok() && rename(temporary.c_str(), path.c_str()) != 0) {
    status = CannotWrite(path, errno);
  }
  if (!status.ok()) unlink(temporary.c_str());
  return status;
}

// The descriptor of stdout or stderr that is open on this file; -1: neither.
int StandardDescriptorOf(const struct stat& file) {
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat one {};
    if (fstat(fd, &one) == 0 && one.st_dev == file.st_dev && one.st_ino == file.st_ino) return fd;
  }
  return -1;
}

}  // namespace

void ReserveStandardDescriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is the one that is missing. It stays open until the process ends.
    (void)open("/", O_PATH | O_CLOEXEC);
  }
}

Status WriteAll(int fd, std::string_view text, const std::string& name) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return CannotWrite(name, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return Done{};
}

Status WriteStdout(std::string_view text) {
  Status status = WriteAll(STDOUT_FILENO, text, _("standard output"));
  if (!status.ok() && status.error().sys_errno == EPIPE) return Done{};
  return status;
}

Status WriteFileWhole(const std::string& path, std::string_view text) {
  struct stat old {};
  if (stat(path.c_str(), &old) != 0) {
    // Not ENOENT: a link that the kernel does not follow (fs.protected_symlinks) is not followed.
    if (errno != ENOENT) return CannotWrite(path, errno);
    return Replace(LinkTarget(path), nullptr, text);
  }
  if (!S_ISREG(old.st_mode)) return WriteDirectly(path, old.st_mode, text);
  // /dev/stdout of `>> log`: what stands in it already stays.
  const int standard = StandardDescriptorOf(old);
  if (standard >= 0) return WriteAll(standard, text, path);
  return Replace(LinkTarget(path), &old, text);
}

bool IsSameFile(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::file_status status = fs::status(one, failed);
  if (fs::exists(status) && !fs::is_regular_file(status)) return false;
  if (fs::equivalent(one, other, failed)) return true;
  const fs::path first = fs::weakly_canonical(fs::absolute(one, failed), failed);
  const fs::path second = fs::weakly_canonical(fs::absolute(other, failed), failed);
  return !first.empty() && first == second;
}

void Say(std::string_view line) {
  std::string text(line);
  text += '\n';
  (void)WriteAll(STDERR_FILENO, text, "stderr").ok();
}

}  // namespace gpuwhy
