// Block devices, NFS mounts, file systems and network links as host tools tell them.
#include <algorithm>
#include <string>

#include "base/text.h"
#include "derive/host_rows.h"
#include "derive/pasted_host.h"

namespace gpuwhy {
namespace {

using F = HostField;
constexpr std::size_t kMostSubjects = 256;

/// Before version 10 iostat gave one wait for reads and writes; it is that of the reads where there
/// were no writes to speak of.
std::optional<double> ReadAwait(const HostRow& row) {
  if (const std::optional<double> await = row.Number(F::kReadAwait)) return await;
  const std::optional<double> both = row.Number(F::kAwait);
  const double reads = row.Number(F::kReadOps).value_or(0);
  const double writes = row.Number(F::kWriteOps).value_or(0);
  if (!both || reads < 10 * writes || reads <= 0) return std::nullopt;
  return both;
}

bool Worked(const RowGroup& device) {
  return std::any_of(device.rows.begin(), device.rows.end(), [](const HostRow* row) {
    return row->Number(F::kReadOps).value_or(0) + row->Number(F::kWriteOps).value_or(0) +
               row->Number(F::kOps).value_or(0) >
           0;
  });
}

void WriteBlocks(const std::vector<HostRow>& rows, HostWriter& writer) {
  std::size_t devices = 0;
  for (const RowGroup& device : GroupsOf(rows, HostTable::kBlock)) {
    if (!Worked(device) || ++devices > kMostSubjects) continue;
    const Subject subject{SubjectKind::kBlockDevice, device.name};
    writer.Mean(FactId::kBlockReadAwait, subject, device.rows, ReadAwait);
    writer.Mean(FactId::kBlockReadOps, subject, device.rows, FieldOf(F::kReadOps));
    writer.Mean(FactId::kBlockReadRate, subject, device.rows, FieldOf(F::kReadRate));
    writer.Mean(FactId::kBlockWriteAwait, subject, device.rows, FieldOf(F::kWriteAwait));
    writer.Mean(FactId::kBlockWriteOps, subject, device.rows, FieldOf(F::kWriteOps));
    writer.Mean(FactId::kBlockWriteRate, subject, device.rows, FieldOf(F::kWriteRate));
    writer.Mean(FactId::kBlockBusy, subject, device.rows, FieldOf(F::kBusy));
  }
}

void WriteNfs(const std::vector<HostRow>& rows, HostWriter& writer) {
  std::size_t mounts = 0;
  for (const RowGroup& mount : GroupsOf(rows, HostTable::kNfs)) {
    if (++mounts > kMostSubjects) break;
    const Subject subject{SubjectKind::kMount, mount.name};
    RowsOfOne reads = mount.rows;
    std::erase_if(reads, [](const HostRow* row) { return row->Text(F::kOperation) != "read"; });
    writer.Text(FactId::kMountSource, subject, *mount.rows.front(),
                mount.rows.front()->Text(F::kSource));
    writer.Mean(FactId::kNfsReadOps, subject, reads, FieldOf(F::kOps));
    writer.Mean(FactId::kNfsReadRate, subject, reads, FieldOf(F::kRate));
    writer.Mean(FactId::kNfsReadRtt, subject, reads, FieldOf(F::kRtt));
    writer.Mean(FactId::kNfsReadExe, subject, reads, FieldOf(F::kExe));
    writer.Mean(FactId::kNfsRetrans, subject, reads, FieldOf(F::kRetrans));
  }
}

void WriteFileSystems(const std::vector<HostRow>& rows, HostWriter& writer) {
  std::size_t mounts = 0;
  for (const RowGroup& mount : GroupsOf(rows, HostTable::kFileSystem)) {
    if (++mounts > kMostSubjects) break;
    const Subject subject{SubjectKind::kMount, mount.name};
    const auto last = [&](FactId id, F field) {
      const auto known =
          std::find_if(mount.rows.rbegin(), mount.rows.rend(),
                       [&](const HostRow* row) { return row->Number(field).has_value(); });
      if (known != mount.rows.rend()) writer.Number(id, subject, **known, *(*known)->Number(field));
    };
    last(FactId::kMountUsed, F::kUsedShare);
    last(FactId::kMountSize, F::kSize);
    last(FactId::kMountFree, F::kAvailable);
    last(FactId::kMountInodesUsed, F::kInodesUsedShare);
    const HostRow& row = *mount.rows.back();
    writer.Text(FactId::kMountType, subject, row, row.Text(F::kType));
    writer.Text(FactId::kMountSource, subject, row, row.Text(F::kSource));
  }
}

void WriteLinks(const std::vector<HostRow>& rows, HostWriter& writer) {
  constexpr double kBits = 8;
  for (const RowGroup& link : GroupsOf(rows, HostTable::kLink)) {
    const HostRow& row = *link.rows.back();
    const Subject subject{SubjectKind::kLink, link.name};
    const std::optional<double> speed = row.Number(F::kSpeed);
    const std::optional<double> able = row.Number(F::kSpeedAble);
    const std::optional<double> peer = row.Number(F::kSpeedOfPeer);
    if (speed) writer.Number(FactId::kNetSpeed, subject, row, *speed / kBits);
    // What only one end can is no fault of the link.
    if (able && peer)
      writer.Number(FactId::kNetSpeedAble, subject, row, std::min(*able, *peer) / kBits);
    writer.Text(FactId::kNetDuplex, subject, row, row.Text(F::kDuplex));
    const bool ip_over_ib = !row.Text(F::kDevice).empty() && link.name.starts_with("ib");
    if (ip_over_ib && row.Number(F::kUp) == 0.0)
      writer.Text(FactId::kIpoibDown, subject, row, row.text);
  }
}

}  // namespace

void DerivePastedIo(const std::vector<HostRow>& rows, FactSet& facts) {
  HostWriter writer(facts);
  WriteBlocks(rows, writer);
  WriteNfs(rows, writer);
  WriteFileSystems(rows, writer);
  WriteLinks(rows, writer);
}

}  // namespace gpuwhy
