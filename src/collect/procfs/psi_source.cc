#include "collect/procfs/psi_source.h"

#include <array>
#include <optional>

#include "collect/procfs/kept_file.h"
#include "parse/procfs/pressure.h"

namespace gpuwhy {
namespace {

struct PressureFile {
  PsiResource resource;
  KeptFile file;
};

Reading<std::uint64_t> FullOf(PsiResource resource, const Pressure& pressure) {
  // At any time some task of a host runs on a busy CPU, so "all tasks wait for a CPU" can't be said
  // of a host: newer kernels print the line with zeros for its form only.
  if (resource == PsiResource::kCpu) {
    return Missing{Why::kNotSupported, "/proc/pressure/cpu: full"};
  }
  if (!pressure.full) return pressure.full.missing();
  return pressure.full->total_us;
}

class PsiSource final : public Source {
 public:
  explicit PsiSource(Host host)
      : files_{{{PsiResource::kCpu, {host.files, host.clock, "/proc/pressure/cpu"}},
                {PsiResource::kIo, {host.files, host.clock, "/proc/pressure/io"}},
                {PsiResource::kMemory, {host.files, host.clock, "/proc/pressure/memory"}}}} {}

  [[nodiscard]] std::string_view Name() const override { return "psi"; }
  [[nodiscard]] Nanos Period() const override { return std::chrono::seconds(1); }
  [[nodiscard]] Nanos Deadline() const override { return std::chrono::milliseconds(500); }

  [[nodiscard]] std::vector<Missing> Look(Capture& out) override {
    std::vector<Missing> missing;
    for (PressureFile& file : files_) {
      if (std::optional<Missing> reason = LookAt(file, out)) missing.push_back(*std::move(reason));
    }
    return missing;
  }

 private:
  static std::optional<Missing> LookAt(PressureFile& file, Capture& out) {
    const Result<TimedText> read = file.file.Read();
    if (!read) return ToMissing(read.error());
    const Result<Pressure> pressure = ParsePressure(read->text, file.file.Path().c_str());
    if (!pressure) return ToMissing(pressure.error());
    PsiSample sample;
    sample.at = read->at;
    sample.resource = file.resource;
    sample.some_us = pressure->some.total_us;
    sample.full_us = FullOf(file.resource, *pressure);
    out.psi.push_back(std::move(sample));
    return std::nullopt;
  }

  std::array<PressureFile, 3> files_;
};

}  // namespace

std::unique_ptr<Source> MakePsiSource(Host host) { return std::make_unique<PsiSource>(host); }

}  // namespace gpuwhy
