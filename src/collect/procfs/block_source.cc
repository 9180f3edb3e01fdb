#include "collect/procfs/block_source.h"

#include "base/i18n.h"
#include "collect/procfs/kept_file.h"
#include "parse/procfs/diskstats.h"

namespace gpuwhy {
namespace {

bool IsWorthKeeping(const BlockLine& line) {
  if (line.name.starts_with("ram")) return false;
  const BlockSample& counters = line.counters;
  return !line.name.starts_with("loop") ||
         counters.reads + counters.writes + counters.in_flight > 0;
}

class BlockSource final : public Source {
 public:
  BlockSource(Host host, Interner& names)
      : names_(names), file_(host.files, host.clock, "/proc/diskstats") {}

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
    if (stats->skipped.count == 0) return {};
    return {Missing{Why::kFailed, Format(_("{}:{}: is not as the kernel writes it"), file_.Path(),
                                         stats->skipped.first)}};
  }

 private:
  Interner& names_;
  KeptFile file_;
};

}  // namespace

std::unique_ptr<Source> MakeBlockSource(Host host, Interner& names) {
  return std::make_unique<BlockSource>(host, names);
}

}  // namespace gpuwhy
