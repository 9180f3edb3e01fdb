#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>

#include "base/i18n.h"
#include "os/kernel_log.h"
#include "os/real_file_descriptor.h"

namespace gpuwhy {
namespace {

constexpr const char* kPath = "/dev/kmsg";
// A record has at most this (CONSOLE_EXT_LOG_MAX).
constexpr std::size_t kLargestRecord = 8192;

class RealKernelLog final : public KernelLog {
 public:
  Result<std::string> ReadNew(std::size_t limit) override {
    if (!file_) {
      file_.emplace(::open(kPath, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
      if (file_->Get() < 0) {
        const int why = errno;
        file_.reset();
        return Error{_("cannot be read"), kPath, why};
      }
    }
    std::string all;
    std::array<char, kLargestRecord> record{};
    // One record a read. EPIPE: the next one was overwritten meanwhile; reading goes on behind it.
    while (true) {
      const ssize_t got = ::read(file_->Get(), record.data(), record.size());
      if (got < 0 && (errno == EINTR || errno == EPIPE)) continue;
      if (got < 0 && errno == EAGAIN) break;
      if (got < 0) return Error{_("cannot be read"), kPath, errno};
      if (got == 0) break;
      all.append(record.data(), static_cast<std::size_t>(got));
      if (all.size() > 2 * limit) DropOldest(all, limit);
    }
    DropOldest(all, limit);
    return all;
  }

 private:
  static void DropOldest(std::string& all, std::size_t limit) {
    if (all.size() <= limit) return;
    const std::size_t end = all.find('\n', all.size() - limit);
    all.erase(0, end == std::string::npos ? all.size() : end + 1);
  }

  std::optional<FileDescriptor> file_;
};

}  // namespace

std::unique_ptr<KernelLog> MakeRealKernelLog() { return std::make_unique<RealKernelLog>(); }

}  // namespace gpuwhy
