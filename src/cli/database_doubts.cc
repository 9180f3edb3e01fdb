#include "cli/database_doubts.h"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>

#include "base/i18n.h"
#include "base/text.h"

namespace gpuwhy {
namespace {

// A journal that is not in use has no content, or zeros in the place of its first bytes.
bool StartsNonZero(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return file.get() > 0;
}

// By the bytes behind the first gigabyte that SQLite locks: pending, reserved, 510 shared ones.
bool IsLockedForWriting(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  struct flock lock {};
  lock.l_type = F_RDLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = 0x40000000;
  lock.l_len = 512;
  const bool locked = fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type == F_WRLCK;
  close(fd);  // this process has no lock on the file that could be lost by it
  return locked;
}

}  // namespace

std::vector<std::string> DatabaseDoubts(const std::string& path) {
  std::vector<std::string> doubts;
  if (StartsNonZero(path + "-wal")) {
    doubts.push_back(
        Format(_("what was written last is not read: it stands in {}-wal; close the program that "
                 "writes to it, or run: sqlite3 {} 'PRAGMA wal_checkpoint(TRUNCATE)'"),
               path, ShellQuote(path)));
  }
  if (StartsNonZero(path + "-journal")) {
    doubts.push_back(Format(
        _("a change of it was not finished, as {}-journal shows: parts of it may be wrong"), path));
  }
  if (IsLockedForWriting(path)) {
    doubts.emplace_back(
        _("another program is writing to it: parts of it may be missing or wrong; wait until it "
          "has ended"));
  }
  return doubts;
}

}  // namespace gpuwhy
