#include "trace/importers/nsys_sqlite.h"

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/i18n.h"
#include "trace/classify.h"
#include "trace/importers/sqlite_reader.h"

namespace gpuwhy::trace {
namespace {

constexpr const char* kKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char* kCopies = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr const char* kMemsets = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr const char* kRuntime = "CUPTI_ACTIVITY_KIND_RUNTIME";
constexpr const char* kGraphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";

// globalPid and globalTid: process id in bits 24..47, thread id in bits 0..23.
std::int64_t PidOf(std::int64_t global) { return (global >> 24) & 0xFFFFFF; }
std::int64_t TidOf(std::int64_t global) { return global & 0xFFFFFF; }

// Correlation ids count per process: two processes in one report use the same ones.
std::int64_t Correlation(std::int64_t global, std::int64_t id) {
  return (PidOf(global) << 32) | (id & 0xFFFFFFFF);
}

// copyKind of CUPTI: 1 H2D, 2 D2H, 3-7 with arrays, 8 D2D, 9 H2H, 10 peer, 11-13 unified memory.
Work CopyKind(std::int64_t kind) {
  switch (kind) {
    case 1:
    case 3:
    case 11:
      return Work::kH2D;
    case 2:
    case 4:
    case 12:
      return Work::kD2H;
    case 5:
    case 6:
    case 7:
    case 8:
    case 13:
      return Work::kD2D;
    case 10:
      return Work::kP2P;
    default:
      return Work::kMemcpyOther;
  }
}

HostMemory MemoryKind(std::int64_t kind) {
  return kind == 0 ? HostMemory::kPageable : kind == 1 ? HostMemory::kPinned : HostMemory::kUnknown;
}

class Importer {
 public:
  Importer(const SqliteFile& db, const std::string& path) : db_(db) {
    timeline_.file = path;
    timeline_.format = "nsys-sqlite";
    timeline_.resolution_ns = 1;
  }

  Result<Timeline> Run() {
    if (!db_.HasTable(kKernels) && !db_.HasTable(kCopies) && !db_.HasTable(kGraphs) &&
        !db_.HasTable(kRuntime)) {
      std::string tables;
      for (const std::string& name : db_.Tables()) tables += " " + name;
      return Error{Format(_("no CUDA activity in this export; its tables:{}"), tables),
                   timeline_.file, 0};
    }
    Table("StringIds", {"id", "value"}, [&](const SqliteRow& row) {
      strings_[row.Integer(0)] = timeline_.names.Intern(row.Text(1));
    });
    Table("TARGET_INFO_GPU", {"id", "name", "smCount"}, [&](const SqliteRow& row) {
      timeline_.devices.push_back({row.Integer(0), std::string(row.Text(1)),
                                   static_cast<std::uint32_t>(row.Integer(2) & 0xFFFF)});
    });
    Table("TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}, [&](const SqliteRow& row) {
      timeline_.base_ns = row.Integer(0);
      timeline_.base_known = row.Has(0);
    });
    ReadDeviceWork();
    ReadHost();
    return std::move(timeline_);
  }

 private:
  // A table that is absent is no error: they are created lazily. A damaged one is said.
  void Table(const std::string& name, const std::vector<std::string>& columns,
             const std::function<void(const SqliteRow&)>& take) {
    if (!db_.HasTable(name)) return;
    const Status status = db_.Scan(name, columns, [&](const SqliteRow& row) {
      ++timeline_.events;
      take(row);
    });
    if (!status) timeline_.problems.push_back(status.error().Text());
  }

  NameIndex Name(std::int64_t id) const {
    const auto it = strings_.find(id);
    return it == strings_.end() ? 0 : it->second;
  }

  std::uint32_t LaneOf(std::int64_t device, std::int64_t stream) {
    const auto [it, added] =
        lanes_.try_emplace({device, stream}, static_cast<std::uint32_t>(timeline_.lanes.size()));
    if (added) timeline_.lanes.push_back({device, stream});
    return it->second;
  }

  std::uint32_t ThreadOf(std::int64_t global) {
    if (const auto it = threads_.find(global); it != threads_.end()) return it->second;
    const auto index = static_cast<std::uint32_t>(timeline_.threads.size());
    timeline_.threads.push_back({timeline_.names.Intern(std::to_string(PidOf(global))),
                                 timeline_.names.Intern(std::to_string(TidOf(global)))});
    threads_.emplace(global, index);
    return index;
  }

  // Columns 0..5 of every device table: start, end, deviceId, streamId, correlationId, globalPid.
  bool AddDevice(const SqliteRow& row, NameIndex name, Work work) {
    const std::int64_t start = row.Integer(0);
    const std::int64_t end = row.Integer(1);
    if (!row.Has(0) || !row.Has(1) || end < start) {
      ++timeline_.lost[end < start ? "negative-duration" : "no-time"];
      return false;
    }
    DeviceEvents& device = timeline_.device;
    device.start.push_back(start);
    device.end.push_back(end);
    device.name.push_back(name);
    device.lane.push_back(LaneOf(row.Integer(2), row.Integer(3)));
    device.correlation.push_back(row.Has(4) ? Correlation(row.Integer(5), row.Integer(4)) : -1);
    device.work.push_back(work);
    device.host_memory.push_back(HostMemory::kUnknown);
    device.bytes.push_back(0);
    device.detail.push_back(0);
    return true;
  }

  void ReadDeviceWork() {
    const std::vector<std::string> common = {"start",    "end",           "deviceId",
                                             "streamId", "correlationId", "globalPid"};
    const auto with = [&](std::vector<std::string> more) {
      std::vector<std::string> all = common;
      all.insert(all.end(), more.begin(), more.end());
      return all;
    };
    std::unordered_map<NameIndex, bool> comm;
    Table(kKernels, with({"shortName", "demangledName"}), [&](const SqliteRow& row) {
      const NameIndex name = Name(row.Integer(row.Has(7) ? 7 : 6));
      const auto [it, added] = comm.try_emplace(name, false);
      if (added) it->second = IsCommunicationKernel(timeline_.names.Text(name));
      AddDevice(row, name, it->second ? Work::kComm : Work::kCompute);
    });
    Table(kCopies, with({"copyKind", "srcKind", "dstKind", "bytes"}), [&](const SqliteRow& row) {
      const Work work = CopyKind(row.Integer(6));
      if (!AddDevice(row, timeline_.names.Intern("Memcpy " + std::string(WorkName(work))), work))
        return;
      if (work == Work::kH2D && row.Has(7))
        timeline_.device.host_memory.back() = MemoryKind(row.Integer(7));
      if (work == Work::kD2H && row.Has(8))
        timeline_.device.host_memory.back() = MemoryKind(row.Integer(8));
      timeline_.device.bytes.back() = static_cast<std::uint64_t>(row.Integer(9));
    });
    Table(kMemsets, common, [&](const SqliteRow& row) {
      AddDevice(row, timeline_.names.Intern("Memset"), Work::kMemset);
    });
    if (!db_.HasTable(kGraphs)) return;
    // --cuda-graph-trace=graph: one row a graph, its kernels unknown. Idle time inside it can't be
    // seen.
    Table(kGraphs, common, [&](const SqliteRow& row) {
      AddDevice(row, timeline_.names.Intern("CUDA graph"), Work::kCompute);
    });
    timeline_.problems.emplace_back(_(
        "CUDA graphs were recorded as a whole: idle time and copies inside them are not visible"));
  }

  void AddHost(std::int64_t start, std::int64_t end, NameIndex name, std::int64_t thread,
               std::int64_t correlation, HostKind kind) {
    if (end < start) {
      ++timeline_.lost["negative-duration"];
      return;
    }
    HostEvents& host = timeline_.host;
    host.start.push_back(start);
    host.end.push_back(end);
    host.name.push_back(name);
    host.thread.push_back(ThreadOf(thread));
    host.correlation.push_back(correlation);
    host.kind.push_back(kind);
  }

  void ReadHost() {
    Table(kRuntime, {"start", "end", "globalTid", "correlationId", "nameId", "eventClass"},
          [&](const SqliteRow& row) {
            AddHost(row.Integer(0), row.Integer(1), Name(row.Integer(4)), row.Integer(2),
                    Correlation(row.Integer(2), row.Integer(3)),
                    row.Integer(5) == 1 ? HostKind::kDriver : HostKind::kRuntime);
          });
    // 59: push/pop range, 60: start/end range; marks (34) have no end.
    Table("NVTX_EVENTS", {"start", "end", "globalTid", "eventType", "text", "textId"},
          [&](const SqliteRow& row) {
            const std::int64_t type = row.Integer(3);
            if ((type != 59 && type != 60) || !row.Has(1)) return;
            const NameIndex name =
                row.Has(4) ? timeline_.names.Intern(row.Text(4)) : Name(row.Integer(5));
            AddHost(row.Integer(0), row.Integer(1), name, row.Integer(2), -1,
                    HostKind::kAnnotation);
          });
  }

  const SqliteFile& db_;
  Timeline timeline_;
  std::unordered_map<std::int64_t, NameIndex> strings_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> lanes_;
  std::unordered_map<std::int64_t, std::uint32_t> threads_;
};

}  // namespace

bool IsSqlite(std::string_view head) {
  return head.starts_with(std::string_view("SQLite format 3\0", 16));
}

Result<Timeline> ImportNsysSqlite(const std::string& path) {
  Result<SqliteFile> db = SqliteFile::Open(path);
  if (!db) return db.error();
  return Importer(*db, path).Run();
}

}  // namespace gpuwhy::trace
