#include "collect/procfs/cgroup_io_reader.h"

#include <utility>

#include "parse/procfs/cgroup_io.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kMostGroups = 256;

}  // namespace

CgroupIoReader::CgroupIoReader(Host host, Interner& interner, Reading<CgroupHierarchy> hierarchy)
    : host_(host), interner_(interner), hierarchy_(std::move(hierarchy)) {}

void CgroupIoReader::Add(const std::vector<CgroupLine>& lines) {
  if (!hierarchy_) return;
  for (const CgroupLine& line : lines) {
    if (hierarchy_->unified ? !line.controllers.empty() : !line.Has("blkio")) continue;
    std::string path = line.path;
    // The top group has no limits.
    while (path.size() > 1 && paths_.size() < kMostGroups) {
      paths_.insert(path);
      const std::size_t slash = path.rfind('/');
      path.resize(slash == std::string::npos ? 0 : slash);
    }
  }
}

void CgroupIoReader::Look(Capture& out) {
  for (const std::string& path : paths_) LookAt(path, out);
}

void CgroupIoReader::LookAt(const std::string& path, Capture& out) {
  const Reading<std::string> folder = hierarchy_->Folder(path);
  if (!folder) return;
  CgroupIoByDevice devices;
  const auto read = [&](const char* name, auto&& parse) {
    if (const Result<std::string> text = host_.files.Read(*folder + "/" + name)) parse(*text);
  };
  const auto blkio = [&](const char* name, BlkioFile file) {
    read(name, [&](const std::string& text) { ParseBlkio(file, text, devices); });
  };
  if (hierarchy_->unified) {
    read("io.max", [&](const std::string& text) { ParseIoMax(text, devices); });
    if (devices.empty()) return;
    read("io.stat", [&](const std::string& text) { ParseIoStat(text, devices); });
  } else {
    blkio("blkio.throttle.read_iops_device", BlkioFile::kReadOpsLimit);
    blkio("blkio.throttle.read_bps_device", BlkioFile::kReadBytesLimit);
    if (devices.empty()) return;
    blkio("blkio.throttle.io_serviced", BlkioFile::kServiced);
    blkio("blkio.throttle.io_service_bytes", BlkioFile::kServiceBytes);
  }
  for (auto& [device, line] : devices) {
    CgroupIoSample sample;
    sample.at = host_.clock.Now();
    sample.path = interner_.Intern(path);
    sample.device = device;
    sample.read_ops_limit = std::move(line.read_ops_limit);
    sample.read_bytes_limit = std::move(line.read_bytes_limit);
    sample.reads = std::move(line.reads);
    sample.read_bytes = std::move(line.read_bytes);
    out.cgroup_io.push_back(std::move(sample));
  }
}

}  // namespace gpuwhy
