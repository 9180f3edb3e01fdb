// An Nsight Systems export, as the bytes of its file: SQLite itself and our reading of its tables.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "trace/importers/nsys_sqlite.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const int file = memfd_create("fuzz", MFD_CLOEXEC);
  if (file < 0) return 0;
  if (write(file, data, size) == static_cast<ssize_t>(size)) {
    (void)gpuwhy::trace::ImportNsysSqlite("/proc/self/fd/" + std::to_string(file));
  }
  close(file);
  return 0;
}
