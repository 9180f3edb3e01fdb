#include "derive/table_facts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "base/median.h"
#include "base/text.h"

namespace gpuwhy {
namespace {

/// In use on the device, but not by this process. Older messages do not say what the process
/// holds beside its allocator: the reserved part stands for it.
std::optional<double> HeldElsewhere(const RefusedAllocation& one) {
  if (!one.total || !one.free) return std::nullopt;
  std::optional<double> own = one.in_process;
  std::optional<double> framework = one.reserved;
  if (!framework && one.allocated) framework = *one.allocated + one.unallocated.value_or(0);
  // The processes are listed and none is called "this": the one that is large enough for what the
  // framework holds is it.
  if (!own && framework) {
    for (const double listed : one.listed) {
      if (listed >= *framework && (!own || listed < *own)) own = listed;
    }
  }
  const bool named = own.has_value();
  if (!own) own = framework;
  if (!own) return std::nullopt;
  const double elsewhere = std::max(0.0, *one.total - *one.free - *own);
  // Figures in gibibytes with two digits do not add up to the byte.
  constexpr double kRounding = 0.005;
  if (named && elsewhere < kRounding * *one.total) return std::nullopt;
  return elsewhere;
}

/// Kernel time without rows that repeat it: an annotation around operators is printed twice, once
/// with CPU time and once with the device time of all that ran inside it.
double DeviceTime(const ProfilerTable& table) {
  double device = table.device_total_s.value_or(0);
  for (const ProfilerRow& row : table.rows) {
    if (row.self_cpu_s.value_or(1) > 0 || row.self_device_s.value_or(0) <= 0) continue;
    const bool twin =
        std::any_of(table.rows.begin(), table.rows.end(), [&](const ProfilerRow& other) {
          return &other != &row && other.name == row.name && other.self_cpu_s.value_or(0) > 0;
        });
    if (twin) device -= *row.self_device_s;
  }
  return std::max(0.0, device);
}

bool IsLoaderRow(std::string_view name) {
  return Holds(name, "enumerate(DataLoader)") || Holds(name, "train_dataloader_next") ||
         Holds(name, "get_train_batch") || Holds(name, "train_next");
}

void Share(LogWriter& writer, FactId id, const ProfilerRow& row, std::optional<double> share) {
  if (!share || *share <= 0) return;
  writer.Computed(id, StatKind::kShare, 0, std::min(*share, 1.0));
  writer.Line(FactId::kProfileLine, row.quote);
}

/// Of the CPU time, what the rows that could be read stand for. Totals alone do not tell whether
/// the time went into launching work or into waiting for data: a table can be cut or wrapped.
double NamedShare(const ProfilerTable& table) {
  double named = 0;
  for (const ProfilerRow& row : table.rows) {
    const double seconds = row.self_cpu_s.value_or(0);
    named += row.self_cpu_share.value_or(seconds / table.cpu_total_s.value_or(1));
  }
  return named;
}

constexpr double kNamedEnough = 0.5;

void DeriveProfile(const ProfilerTable& table, LogWriter& writer) {
  for (const ProfilerRow& row : table.rows) {
    if (IsLoaderRow(row.name)) Share(writer, FactId::kProfileLoaderShare, row, row.cpu_share);
    if (Holds(row.name, "ProfilerStep") && row.self_cpu_share) {
      Share(writer, FactId::kProfileUnexplained, row, row.self_cpu_share);
    }
  }
  if (!table.cpu_total_s || !table.device_total_s || *table.cpu_total_s <= 0) return;
  const double device = DeviceTime(table);
  if (device < *table.cpu_total_s / 2 && NamedShare(table) < kNamedEnough) return;
  writer.Computed(FactId::kProfileDeviceShare, StatKind::kShare, 0, device / *table.cpu_total_s);
  // As text, in the unit of the profiler.
  writer.Computed(FactId::kProfileDeviceTime, StatKind::kDelta, 0, device);
  for (const QuotedLine& line : table.totals) writer.Line(FactId::kProfileLine, line);
}

}  // namespace

void DeriveRefused(const LogText& log, LogWriter& writer) {
  constexpr std::size_t kMost = 8;
  std::size_t written = 0;
  for (const RefusedAllocation& one : log.refused) {
    if (written++ == kMost) break;
    const Subject subject{SubjectKind::kInput, log.name + ":" + std::to_string(one.quote.line)};
    const auto write = [&](FactId id, const std::optional<double>& value) {
      if (value) writer.Number(id, StatKind::kLast, 0, *value, Origin::kRead, subject);
    };
    writer.Line(FactId::kAllocLine, one.quote, subject);
    write(FactId::kAllocRequest, one.request);
    write(FactId::kAllocTotal, one.total);
    write(FactId::kAllocFree, one.free);
    std::optional<double> reserved = one.reserved;
    std::optional<double> spare = one.unallocated;
    if (reserved && one.allocated && !spare) spare = std::max(0.0, *reserved - *one.allocated);
    if (!reserved && one.allocated && spare) reserved = *one.allocated + *spare;
    write(FactId::kAllocReserved, reserved);
    write(FactId::kAllocUnallocated, spare);
    if (const std::optional<double> elsewhere = HeldElsewhere(one)) {
      writer.Number(FactId::kAllocElsewhere, StatKind::kLast, 0, *elsewhere, Origin::kComputed,
                    subject);
    }
  }
}

void DeriveProfiles(const LogText& log, LogWriter& writer) {
  for (const ProfilerTable& table : log.profiles) DeriveProfile(table, writer);
}

namespace {

constexpr double kGiga = 1e9;

void DeriveCopies(const BandwidthTable& table, double best, LogWriter& writer) {
  if (table.what != "H2D" && table.what != "D2H") return;
  writer.Computed(
      table.what == "H2D" ? FactId::kBandwidthHostToDevice : FactId::kBandwidthDeviceToHost,
      StatKind::kMax, table.values.size(), best * kGiga);
  writer.Line(FactId::kBandwidthLine, {0, table.binding});
  writer.Line(FactId::kBandwidthLine, table.quotes.front());
}

/// How much the rate climbs from row i - 1 to row i where a message takes a constant time and its
/// bytes at the best rate: no step, only larger messages.
double Climb(const BandwidthTable& table, std::size_t i, double best) {
  if (table.sizes.size() != table.values.size() || table.sizes[i - 1] <= 0) return 1;
  const double factor = table.sizes[i] / table.sizes[i - 1];
  const double share = std::min(table.values[i - 1] / best, 0.99);
  const double bytes_over_start = share / (1 - share);
  return factor * (1 + bytes_over_start) / (1 + factor * bytes_over_start);
}

constexpr double kOverClimb = 1.15;

void DeriveBusbw(const BandwidthTable& table, double best, LogWriter& writer) {
  writer.Computed(FactId::kBusbwBest, StatKind::kMax, table.values.size(), best * kGiga);
  if (table.wrong > 0)
    writer.Computed(FactId::kNcclWrong, StatKind::kDelta, 0, static_cast<double>(table.wrong));
  double jump = 0;
  // Below a tenth of the best the curve climbs anyway.
  for (std::size_t i = 1; i < table.values.size(); ++i) {
    const double before = table.values[i - 1];
    if (before <= best / 10 || before <= 1) continue;
    const double measured = table.values[i] / before;
    if (measured > kOverClimb * Climb(table, i, best)) jump = std::max(jump, measured);
  }
  writer.Computed(FactId::kBusbwJump, StatKind::kMax, table.values.size(), jump);
  writer.Line(FactId::kBandwidthLine, table.quotes.back());
}

// The pairs of all tables, by whether they copied through the host or directly.
struct PeerCopies {
  std::vector<double> staged, direct;
};

void CollectPeers(const BandwidthTable& table, PeerCopies& peers, LogWriter& writer) {
  std::vector<double>* pairs = table.what == "p2p-disabled"  ? &peers.staged
                               : table.what == "p2p-enabled" ? &peers.direct
                                                             : nullptr;
  if (pairs == nullptr) return;
  pairs->insert(pairs->end(), table.values.begin(), table.values.end());
  for (std::size_t i = 0; i < std::min<std::size_t>(2, table.quotes.size()); ++i)
    writer.Line(FactId::kBandwidthLine, table.quotes[i]);
}

}  // namespace

void DeriveBandwidths(const LogText& log, LogWriter& writer) {
  PeerCopies peers;
  for (const BandwidthTable& table : log.bandwidths) {
    if (table.values.empty()) continue;
    const double best = *std::max_element(table.values.begin(), table.values.end());
    if (table.tool == "bandwidthTest" || table.tool == "nvbandwidth")
      DeriveCopies(table, best, writer);
    if (table.tool == "p2p") CollectPeers(table, peers, writer);
    if (table.tool == "nccl-tests") DeriveBusbw(table, best, writer);
  }
  if (!peers.staged.empty()) {
    writer.Computed(FactId::kP2pStaged, StatKind::kP50, peers.staged.size(),
                    Median(peers.staged) * kGiga);
  }
  if (!peers.direct.empty()) {
    writer.Computed(FactId::kP2pDirect, StatKind::kP50, peers.direct.size(),
                    Median(peers.direct) * kGiga);
  }
}

void DerivePorts(const LogText& log, LogWriter& writer) {
  for (const IbPort& port : log.ports) {
    const bool active = Holds(port.state, "Active") || Holds(port.state, "ACTIVE");
    writer.Line(active ? FactId::kPortActive : FactId::kPortDown, port.quote);
    if (!active) continue;
    const bool slower = std::any_of(log.ports.begin(), log.ports.end(), [&](const IbPort& twin) {
      return twin.type == port.type && twin.layer == port.layer && !port.type.empty() &&
             port.rate > 0 && twin.rate > port.rate && Holds(twin.state, "Active");
    });
    if (slower) writer.Line(FactId::kPortSlow, port.quote);
  }
}

namespace {

void DerivePressure(const PressureText& pressure, LogWriter& writer) {
  const Subject host;
  const auto write = [&](FactId id, double value) {
    writer.Number(id, StatKind::kShare, 0, value, Origin::kRead, host);
  };
  if (pressure.resource == "memory") {
    write(FactId::kHostPsiMemory, pressure.some10);
    if (pressure.full10) write(FactId::kPsiMemoryFull, *pressure.full10);
    for (const QuotedLine& line : pressure.quotes) writer.Line(FactId::kPsiLine, line, host);
  } else if (pressure.resource == "cpu") {
    write(FactId::kHostPsiCpu, pressure.some10);
  } else if (pressure.resource == "io") {
    write(FactId::kHostPsiIo, pressure.some10);
  }
}

void DeriveMemoryTrend(const MemoryTrend& trend, LogWriter& writer) {
  if (trend.used.size() < 4) return;
  const double growth = trend.used.back() - trend.used.front();
  const double first = trend.used[1] - trend.used[0];
  const double last = trend.used.back() - trend.used[trend.used.size() - 2];
  writer.Computed(FactId::kMemoryGrowth, StatKind::kDelta, trend.used.size(), growth);
  if (first > 0)
    writer.Computed(FactId::kMemoryGrowthLate, StatKind::kSlope, trend.used.size(), last / first);
  for (const QuotedLine& line : trend.quotes) {
    if (&line == &trend.quotes.front() || &line == &trend.quotes.back())
      writer.Line(FactId::kMemoryLine, line);
  }
}

/// The first two parts of a version as one number that sorts: 418.67 -> 418067.
std::optional<int> VersionOrder(std::string_view text) {
  int major = 0;
  int minor = 0;
  const auto [dot, ec] = std::from_chars(text.data(), text.data() + text.size(), major);
  if (ec != std::errc{} || major > 100000) return std::nullopt;
  if (dot != text.data() + text.size() && *dot == '.')
    std::from_chars(dot + 1, text.data() + text.size(), minor);
  return major * 1000 + std::min(minor, 999);
}

/// The oldest Linux driver that a CUDA release runs on. Source: the release notes of CUDA, table of
/// drivers; from 11 on the minor version compatible one.
std::string_view OldestDriver(std::string_view cuda) {
  struct Row {
    std::string_view cuda, driver;
  };
  constexpr std::array<Row, 9> kRows = {{{"8.0", "375.26"},
                                         {"9.0", "384.81"},
                                         {"9.1", "390.46"},
                                         {"9.2", "396.26"},
                                         {"10.0", "410.48"},
                                         {"10.1", "418.39"},
                                         {"10.2", "440.33"},
                                         {"11.", "450.80"},
                                         {"12.", "525.60"}}};
  for (const Row& row : kRows) {
    if (cuda.starts_with(row.cuda)) return row.driver;
  }
  return cuda.starts_with("13.") ? "580.65" : "";
}

void DeriveEnvironment(const EnvironmentReport& report, LogWriter& writer) {
  const Subject host;
  const std::string_view oldest = OldestDriver(report.cuda_built);
  const std::optional<int> driver = VersionOrder(report.driver_version);
  const std::optional<int> needed = VersionOrder(oldest);
  for (const QuotedLine& line : report.quotes) writer.Line(FactId::kEnvLine, line, host);
  if (driver && needed && *driver < *needed) {
    writer.Text(FactId::kEnvDriverShort, report.driver_version + " < " + std::string(oldest), host);
  }
  // A build with CUDA names its version there; one for AMD names ROCm in the package's version.
  const bool no_cuda = report.cuda_built == "None" || report.cuda_built == "N/A" ||
                       report.cuda_built == "Could not collect";
  const bool cpu_build = Holds(report.framework_version, "+cpu") ||
                         (no_cuda && !Holds(report.framework_version, "rocm"));
  if (cpu_build && !report.quotes.empty())
    writer.Line(FactId::kSaidCpuBuild, report.quotes.front(), host);
}

void DeriveHostSigns(const LogText& log, LogWriter& writer) {
  if (log.affinity) {
    const auto count = [&](FactId id, std::size_t cpus) {
      writer.Number(id, StatKind::kLast, 0, static_cast<double>(cpus), Origin::kRead,
                    writer.Input());
    };
    count(FactId::kAffinityBefore, log.affinity->before);
    count(FactId::kAffinityAfter, log.affinity->after);
    for (const QuotedLine& line : log.affinity->quotes) writer.Line(FactId::kAffinityLine, line);
  }
  if (log.stray) {
    writer.Number(FactId::kStrayContexts, StatKind::kLast, 0, static_cast<double>(log.stray->count),
                  Origin::kRead, writer.Input());
    for (const QuotedLine& line : log.stray->quotes) writer.Line(FactId::kStrayLine, line);
  }
  if (log.peermem_absent) writer.Line(FactId::kPeermemAbsent, *log.peermem_absent, Subject{});
  if (log.since_boot) writer.Line(FactId::kSinceBoot, *log.since_boot);
}

}  // namespace

void DeriveHostTexts(const LogText& log, LogWriter& writer) {
  for (auto pressure = log.pressures.begin(); pressure != log.pressures.end(); ++pressure) {
    // The last look at each resource.
    const auto same = [&](const PressureText& later) {
      return later.resource == pressure->resource;
    };
    if (std::none_of(pressure + 1, log.pressures.end(), same)) DerivePressure(*pressure, writer);
  }
  if (log.memory) DeriveMemoryTrend(*log.memory, writer);
  if (log.environment) DeriveEnvironment(*log.environment, writer);
  DeriveHostSigns(log, writer);
  if (log.devices && log.devices->lists_gpus && !log.devices->may_use_gpus) {
    for (const QuotedLine& line : log.devices->quotes)
      writer.Line(FactId::kDeviceAccessLost, line, Subject{});
  }
}

}  // namespace gpuwhy
