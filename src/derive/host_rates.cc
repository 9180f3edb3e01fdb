#include "derive/host_rates.h"

#include <array>
#include <map>
#include <string>

#include "base/i18n.h"
#include "derive/fact_writer.h"
#include "derive/window.h"

namespace gpuwhy {
namespace {

constexpr double kSectorBytes = 512;  // of /proc/diskstats, whatever the device's own

/// Share of the window that a counter's two reads span.
double Coverage(double span_s, const Scope& window) {
  const double wanted = Seconds(window.to - window.from);
  return wanted > 0 ? std::min(1.0, span_s / wanted) : 1;
}

Scope SpanOf(MonoTime from, MonoTime to) { return {from, to, ScopePart::kWhole}; }

Reading<double> Ratio(const Reading<double>& part, double whole) {
  if (!part) return part.missing();
  return std::clamp(*part / whole, 0.0, 1.0);
}

Reading<double> PerSecond(const Reading<double>& growth, double span_s) {
  if (!growth) return growth.missing();
  return *growth / span_s;
}

struct CpuShares {
  Reading<double> busy, iowait, steal;
};

CpuShares SharesOf(const CpuSample& a, const CpuSample& b) {
  constexpr std::array kFields = {&CpuSample::user,    &CpuSample::nice,   &CpuSample::system,
                                  &CpuSample::idle,    &CpuSample::iowait, &CpuSample::irq,
                                  &CpuSample::softirq, &CpuSample::steal};
  double total = 0;
  for (std::uint64_t CpuSample::*field : kFields) {
    const Reading<double> growth = Growth(a.*field, b.*field, "/proc/stat");
    if (!growth) return {growth.missing(), growth.missing(), growth.missing()};
    total += *growth;
  }
  if (total <= 0) {
    const Missing missing{Why::kNotSampled,
                          _("no CPU time passed between two reads of /proc/stat")};
    return {missing, missing, missing};
  }
  const auto idle = static_cast<double>((b.idle - a.idle) + (b.iowait - a.iowait));
  return {std::clamp((total - idle) / total, 0.0, 1.0),
          static_cast<double>(b.iowait - a.iowait) / total,
          static_cast<double>(b.steal - a.steal) / total};
}

void DeriveCpu(const Capture& capture, const Scope& window, FactSet& facts) {
  const Subject host;
  Reading<double> cpus = Missing{Why::kFailed, "CPUs online"};
  if (capture.host.cpus_online > 0) cpus = static_cast<double>(capture.host.cpus_online);
  FactWriter(facts, window, {"host", "/sys/devices/system/cpu/online", Origin::kRead})
      .Counted(FactId::kHostCpus, host, StatKind::kLast, cpus);

  Ends<CpuSample> ends;
  for (const CpuSample& sample : capture.cpu) NoteEnd(ends, sample, window);
  CpuShares shares;
  if (ends.Span() > 0) {
    shares = SharesOf(*ends.first, *ends.last);
  } else {
    const Missing missing = WhyNothing(capture, "cpu", "/proc/stat");
    shares = {missing, missing, missing};
  }
  const double coverage = Coverage(ends.Span(), window);
  const Scope span = ends.Span() > 0 ? SpanOf(ends.first->at, ends.last->at) : window;
  FactWriter writer(facts, span, {"cpu", "/proc/stat", Origin::kComputed});
  writer.Counted(FactId::kHostCpuBusy, host, StatKind::kShare, shares.busy, coverage);
  writer.Counted(FactId::kHostCpuIowait, host, StatKind::kShare, shares.iowait, coverage);
  writer.Counted(FactId::kHostCpuSteal, host, StatKind::kShare, shares.steal, coverage);
}

void DerivePsi(const Capture& capture, const Scope& window, FactSet& facts) {
  struct Row {
    PsiResource resource;
    FactId id;
    const char* path;
  };
  constexpr std::array kRows = {
      Row{PsiResource::kCpu, FactId::kHostPsiCpu, "/proc/pressure/cpu"},
      Row{PsiResource::kIo, FactId::kHostPsiIo, "/proc/pressure/io"},
      Row{PsiResource::kMemory, FactId::kHostPsiMemory, "/proc/pressure/memory"}};
  for (const Row& row : kRows) {
    Ends<PsiSample> ends;
    for (const PsiSample& sample : capture.psi) {
      if (sample.resource == row.resource && sample.cgroup == kNoName) {
        NoteEnd(ends, sample, window);
      }
    }
    const double span = ends.Span();
    Reading<double> share = WhyNothing(capture, "psi", row.path);
    const bool known = ends.first != nullptr && ends.last != nullptr && span > 0;
    if (known) {
      share = Ratio(Growth(ends.first->some_us, ends.last->some_us, row.path), span * 1e6);
    }
    FactWriter(facts, known ? SpanOf(ends.first->at, ends.last->at) : window,
               {"psi", row.path, Origin::kComputed})
        .Counted(row.id, {}, StatKind::kShare, share, Coverage(span, window));
  }
}

void DeriveDevice(const Capture& capture, const Ends<BlockSample>& ends, const Scope& window,
                  FactSet& facts) {
  const BlockSample& a = *ends.first;
  const BlockSample& b = *ends.last;
  const double span = ends.Span();
  const Subject device{SubjectKind::kBlockDevice, capture.Name(b.name)};
  Missing once{Why::kNotSampled, _("read once only")};
  Reading<double> reads = once;
  Reading<double> sectors = once;
  Reading<double> busy = once;
  Reading<double> read_ms = once;
  if (span > 0) {
    reads = Growth(a.reads, b.reads, "/proc/diskstats");
    sectors = Growth(a.read_sectors, b.read_sectors, "/proc/diskstats");
    busy = Ratio(Growth(a.busy_ms, b.busy_ms, "/proc/diskstats"), span * 1e3);
    read_ms = Growth(a.read_ms, b.read_ms, "/proc/diskstats");
  }
  Reading<double> await = reads;
  if (reads && *reads <= 0) {
    await = Missing{Why::kNotPresent, _("no read completed in the window")};
  } else if (reads) {
    await = read_ms;
    if (read_ms) await = *read_ms / 1e3 / *reads;
  }
  Reading<double> bytes = PerSecond(sectors, span);
  if (bytes) bytes = *bytes * kSectorBytes;
  const double coverage = Coverage(span, window);
  FactWriter writer(facts, span > 0 ? SpanOf(a.at, b.at) : window,
                    {"block", "/proc/diskstats", Origin::kComputed});
  writer.Counted(FactId::kBlockReadAwait, device, StatKind::kMean, await, coverage);
  writer.Counted(FactId::kBlockReadRate, device, StatKind::kMean, bytes, coverage);
  writer.Counted(FactId::kBlockReadOps, device, StatKind::kMean, PerSecond(reads, span), coverage);
  writer.Counted(FactId::kBlockBusy, device, StatKind::kShare, busy, coverage);
}

void DeriveBlock(const Capture& capture, const Scope& window, FactSet& facts) {
  std::map<DeviceNumber, Ends<BlockSample>> devices;
  for (const BlockSample& sample : capture.block) {
    // A device that never served anything since boot (ram0, an empty loop) is nobody's storage.
    if (sample.reads == 0 && sample.writes == 0) continue;
    NoteEnd(devices[sample.device], sample, window);
  }
  for (const auto& [number, ends] : devices) DeriveDevice(capture, ends, window, facts);
}

}  // namespace

void DeriveHostRates(const Capture& capture, const Scope& window, FactSet& facts) {
  DeriveCpu(capture, window, facts);
  DerivePsi(capture, window, facts);
  DeriveBlock(capture, window, facts);
}

}  // namespace gpuwhy
