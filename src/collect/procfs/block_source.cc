#include "collect/procfs/block_source.h"

#include "base/i18n.h"
#include "collect/procfs/block_layers.h"
#include "collect/procfs/kept_file.h"
#include "parse/procfs/diskstats.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kMostLookedBelow = 512;

bool IsWorthKeeping(const BlockLine& line) {
  if (line.name.starts_with("ram")) return false;
  const BlockSample& counters = line.counters;
  return !line.name.starts_with("loop") ||
         counters.reads + counters.writes + counters.in_flight > 0;
}

class BlockSource final : public Source {
 public:
  BlockSource(Host host, Interner& names)
      : files_(host.files), names_(names), file_(host.files, host.clock, "/proc/diskstats") {}

  [[nodiscard]] std::string_view Name() const override { return "block"; }
  [[nodiscard]] Nanos Period() const override { return std::chrono::seconds(1); }
  [[nodiscard]] Nanos Deadline() const override { return std::chrono::milliseconds(500); }

  [[nodiscard]] std::vector<Missing> Look(Capture& out) override {
    const Result<TimedText> read = file_.Read();
    if (!read) return {ToMissing(read.error())};
    const Result<Diskstats> stats = ParseDiskstats(read->text);
    if (!stats) return {ToMissing(stats.error())};
    for (const BlockLine& line : stats->devices) {
      if (!IsWorthKeeping(line)) continue;
      out.block.push_back(line.counters);
      out.block.back().at = read->at;
      out.block.back().name = names_.Intern(line.name);
    }
    LookBelow(out);
    if (stats->skipped.count == 0) return {};
    return {Missing{Why::kFailed, Format(_("{}:{}: is not as the kernel writes it"), file_.Path(),
                                         stats->skipped.first)}};
  }

 private:
  /// Once: disks are seldom taken apart while a job reads them.
  void LookBelow(Capture& out) {
    if (looked_below_) return;
    looked_below_ = true;
    std::vector<DeviceNumber> devices;
    for (const BlockSample& sample : out.block) {
      if (sample.reads + sample.writes > 0) devices.push_back(sample.device);
    }
    if (devices.size() > kMostLookedBelow) devices.resize(kMostLookedBelow);
    AppendBlockLayers(files_, devices, out);
  }

  FileTree& files_;
  Interner& names_;
  KeptFile file_;
  bool looked_below_ = false;
};

}  // namespace

std::unique_ptr<Source> MakeBlockSource(Host host, Interner& names) {
  return std::make_unique<BlockSource>(host, names);
}

}  // namespace gpuwhy
