#include "collect/procfs/psi_source.h"

#include <optional>
#include <utility>
#include <vector>

#include "collect/procfs/kept_file.h"
#include "parse/procfs/pressure.h"

namespace gpuwhy {
namespace {

class PsiSource final : public Source {
 public:
  explicit PsiSource(Host host) {
    for (const PressureFile& file : kPressureFiles) {
      KeptFile kept(host.files, host.clock, "/proc/pressure/" + std::string(file.name));
      files_.push_back({file.resource, std::move(kept)});
    }
  }

  [[nodiscard]] std::string_view Name() const override { return "psi"; }
  [[nodiscard]] Nanos Period() const override { return std::chrono::seconds(1); }
  [[nodiscard]] Nanos Deadline() const override { return std::chrono::milliseconds(500); }

  [[nodiscard]] std::vector<Missing> Look(Capture& out) override {
    std::vector<Missing> missing;
    for (HostFile& file : files_) {
      if (std::optional<Missing> reason = LookAt(file, out)) missing.push_back(*std::move(reason));
    }
    return missing;
  }

 private:
  struct HostFile {
    PsiResource resource;
    KeptFile kept;
  };

  static std::optional<Missing> LookAt(HostFile& file, Capture& out) {
    const Result<TimedText> read = file.kept.Read();
    if (!read) return ToMissing(read.error());
    const Result<Pressure> pressure = ParsePressure(read->text, file.kept.Path().c_str());
    if (!pressure) return ToMissing(pressure.error());
    PsiSample sample = ToSample(file.resource, *pressure);
    sample.at = read->at;
    // At any time some task of a host runs on a busy CPU, so "all tasks wait for a CPU" can't be
    // said of a host: newer kernels print the line with zeros for its form only.
    if (file.resource == PsiResource::kCpu) {
      sample.full_us = Missing{Why::kNotSupported, file.kept.Path() + ": full"};
    }
    out.psi.push_back(std::move(sample));
    return std::nullopt;
  }

  std::vector<HostFile> files_;
};

}  // namespace

std::unique_ptr<Source> MakePsiSource(Host host) { return std::make_unique<PsiSource>(host); }

}  // namespace gpuwhy
