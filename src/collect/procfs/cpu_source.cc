#include "collect/procfs/cpu_source.h"

#include "collect/procfs/kept_file.h"
#include "parse/procfs/stat.h"

namespace gpuwhy {
namespace {

class CpuSource final : public Source {
 public:
  explicit CpuSource(Host host) : file_(host.files, host.clock, "/proc/stat") {}

  [[nodiscard]] std::string_view Name() const override { return "cpu"; }
  [[nodiscard]] Nanos Period() const override { return std::chrono::seconds(1); }
  [[nodiscard]] Nanos Deadline() const override { return std::chrono::milliseconds(500); }

  [[nodiscard]] std::vector<Missing> Look(Capture& out) override {
    const Result<TimedText> read = file_.Read();
    if (!read) return {ToMissing(read.error())};
    const Result<ProcStat> stat = ParseProcStat(read->text);
    if (!stat) return {ToMissing(stat.error())};
    out.cpu.push_back(stat->totals);
    out.cpu.back().at = read->at;
    return {};
  }

 private:
  KeptFile file_;
};

}  // namespace

std::unique_ptr<Source> MakeCpuSource(Host host) { return std::make_unique<CpuSource>(host); }

}  // namespace gpuwhy
