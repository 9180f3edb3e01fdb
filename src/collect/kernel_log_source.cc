#include "collect/kernel_log_source.h"

#include <chrono>
#include <utility>
#include <vector>

#include "os/file_tree.h"
#include "parse/live/kmsg.h"

namespace gpuwhy {
namespace {

// The kernel keeps 128 KiB to a few MiB.
constexpr std::size_t kMostBytes = std::size_t{8} << 20U;
// A storm of messages repeats itself.
constexpr std::size_t kMostLines = 2000;

class KernelLogSource final : public Source {
 public:
  KernelLogSource(std::unique_ptr<KernelLog> log, Interner& names)
      : log_(std::move(log)), names_(names) {}

  [[nodiscard]] std::string_view Name() const override { return "kernel-log"; }
  [[nodiscard]] Nanos Period() const override { return Nanos{0}; }
  [[nodiscard]] Nanos Deadline() const override { return std::chrono::seconds(1); }

  [[nodiscard]] std::vector<Missing> Look(Capture& out) override {
    const Result<std::string> bytes = log_->ReadNew(kMostBytes);
    if (!bytes) return {ToMissing(bytes.error())};
    std::vector<KmsgRecord> kept;
    for (KmsgRecord& record : ParseKmsg(*bytes)) {
      if (MayTellOfFaults(record.text)) kept.push_back(std::move(record));
    }
    const std::size_t first = kept.size() > kMostLines ? kept.size() - kMostLines : 0;
    for (std::size_t i = first; i < kept.size(); ++i) {
      const std::chrono::microseconds time(static_cast<std::int64_t>(kept[i].microseconds));
      out.kernel_lines.push_back({{Nanos(time)}, names_.Intern(AsPrinted(kept[i]))});
    }
    return {};
  }

 private:
  std::unique_ptr<KernelLog> log_;
  Interner& names_;
};

}  // namespace

std::unique_ptr<Source> MakeKernelLogSource(std::unique_ptr<KernelLog> log, Interner& names) {
  return std::make_unique<KernelLogSource>(std::move(log), names);
}

}  // namespace gpuwhy
