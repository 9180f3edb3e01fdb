#include "collect/procfs/cgroup_reader.h"

#include <optional>
#include <utility>

#include "base/text.h"
#include "parse/procfs/pressure.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kMostGroups = 256;

// "/a/b" -> "/a" -> "/"; empty above that.
std::string Parent(const std::string& path) {
  if (path == "/") return {};
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

}  // namespace

CgroupReader::CgroupReader(Host host, Interner& interner)
    : CgroupReader(host, interner, FindCgroupHierarchies(host.files)) {}

CgroupReader::CgroupReader(Host host, Interner& interner, CgroupHierarchies found)
    : host_(host),
      interner_(interner),
      cpu_(std::move(found.cpu)),
      accounting_(std::move(found.accounting)),
      unified_(std::move(found.unified)),
      io_(host, interner, std::move(found.io)) {}

void CgroupReader::Add(const std::vector<CgroupLine>& lines) {
  io_.Add(lines);
  for (const CgroupLine& line : lines) {
    const bool is_unified = line.controllers.empty();
    if (CpuIsUnified() ? is_unified : line.Has("cpu")) {
      if (cpu_paths_.size() >= kMostGroups) continue;
      cpu_paths_[line.path] = true;
      for (std::string up = Parent(line.path); !up.empty(); up = Parent(up))
        cpu_paths_.emplace(up, false);
    }
    if (is_unified && unified_ && pressure_paths_.size() < kMostGroups)
      pressure_paths_.emplace(line.path, true);
  }
}

void CgroupReader::Look(Capture& out) {
  io_.Look(out);
  if (cpu_) {
    for (const auto& [path, own] : cpu_paths_) LookCpu(path, own, out);
  }
  for (auto& [path, has_files] : pressure_paths_) {
    if (!has_files) continue;
    const std::size_t before = out.psi.size();
    LookPressure(path, out);
    has_files = out.psi.size() > before;  // not asked for again
  }
}

void CgroupReader::LookCpu(const std::string& path, bool own, Capture& out) {
  const Reading<std::string> folder = cpu_->Folder(path);
  if (!folder) return;
  CgroupCpuSample sample;
  sample.at = host_.clock.Now();
  sample.path = interner_.Intern(path);
  CpuQuota quota = ReadQuota(*folder);
  if (!own && !quota.quota_us) return;
  sample.quota_us = std::move(quota.quota_us);
  sample.period_us = std::move(quota.period_us);
  const Result<std::string> text = host_.files.Read(*folder + "/cpu.stat");
  if (text) {
    CgroupCpuStat stat = ParseCgroupCpuStat(*text);
    sample.periods = std::move(stat.periods);
    sample.throttled_periods = std::move(stat.throttled_periods);
    sample.throttled_us = std::move(stat.throttled_us);
    sample.usage_us = CpuIsUnified() ? std::move(stat.usage_us) : ReadUsage(path, *folder);
  } else {
    const Missing why = ToMissing(text.error());
    sample.periods = sample.throttled_periods = sample.throttled_us = sample.usage_us = why;
  }
  out.cgroup_cpu.push_back(std::move(sample));
}

CpuQuota CgroupReader::ReadQuota(const std::string& folder) {
  CpuQuota quota;
  if (CpuIsUnified()) {
    const Result<std::string> text = host_.files.Read(folder + "/cpu.max");
    if (text) return ParseCpuMax(*text);
    quota.quota_us = quota.period_us = ToMissing(text.error());  // the top group has no such file
    return quota;
  }
  const Result<std::string> limit = host_.files.Read(folder + "/cpu.cfs_quota_us");
  const Result<std::string> period = host_.files.Read(folder + "/cpu.cfs_period_us");
  if (limit && period) return ParseCfsQuota(*limit, *period);
  quota.quota_us = quota.period_us = ToMissing(limit ? period.error() : limit.error());
  return quota;
}

// Version 1 counts in another hierarchy, often mounted together with cpu; a process may be in
// another group there, so that only the same path is taken.
Reading<std::uint64_t> CgroupReader::ReadUsage(const std::string& path, const std::string& folder) {
  Result<std::string> text = host_.files.Read(folder + "/cpuacct.usage");
  if (!text && accounting_) {
    if (const Reading<std::string> other = accounting_->Folder(path))
      text = host_.files.Read(*other + "/cpuacct.usage");
  }
  if (!text) return ToMissing(text.error());
  const std::optional<std::uint64_t> ns = ParseNumber<std::uint64_t>(Trim(*text));
  if (!ns) return {Why::kFailed, folder + "/cpuacct.usage"};
  return *ns / 1000;
}

void CgroupReader::LookPressure(const std::string& path, Capture& out) {
  const Reading<std::string> folder = unified_->Folder(path);
  if (!folder) return;
  // The top group of the machine shows the whole host, which is not the job's. Every other group
  // has a type.
  if (path == "/" && !host_.files.Read(*folder + "/cgroup.type")) return;
  for (const PressureFile& file : kPressureFiles) {
    const std::string name = *folder + "/" + std::string(file.name) + ".pressure";
    const Result<std::string> text = host_.files.Read(name);
    if (!text) continue;
    const Result<Pressure> pressure = ParsePressure(*text, name.c_str());
    if (!pressure) continue;
    PsiSample sample = ToSample(file.resource, *pressure);
    sample.at = host_.clock.Now();
    sample.cgroup = interner_.Intern(path);
    out.psi.push_back(std::move(sample));
  }
}

}  // namespace gpuwhy
