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

Status WriteDirectly(const std::string& path, std::string_view text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return CannotWrite(path, errno);
  Status status = WriteAll(fd, text, path);
  if (close(fd) != 0 && status.ok()) status = CannotWrite(path, errno);
  return status;
}

Status FinishTemporary(int fd, std::string_view text, const std::string& path) {
  Status status = WriteAll(fd, text, path);
  // fsync before rename: after a power cut there must not be an empty file in the old one's place.
  if (status.ok() && fsync(fd) != 0) status = CannotWrite(path, errno);
  if (close(fd) != 0 && status.ok()) status = CannotWrite(path, errno);
  return status;
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
  struct stat info {};
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) return WriteDirectly(path, text);
  const std::string temporary = path + ".tmp." + std::to_string(getpid());
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return CannotWrite(path, errno);
  Status status = FinishTemporary(fd, text, path);
  if (status.ok() && rename(temporary.c_str(), path.c_str()) != 0) {
    status = CannotWrite(path, errno);
  }
  if (!status.ok()) unlink(temporary.c_str());
  return status;
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
