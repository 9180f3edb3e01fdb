#include "derive/devices.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/i18n.h"
#include "base/text.h"
#include "derive/pasted_facts.h"
#include "derive/window.h"

namespace gpuwhy {
namespace {

constexpr double kThousandths = 1000;

struct Series {
  std::vector<const DeviceValue*> looks;  ///< in order of time, within the window where there are
};
using DeviceSeries = std::map<GpuField, Series>;

/// Figures of one moment say little, and the mean over the window is what the rules judge. All
/// other numbers are limits, counters and settings: their last value counts.
bool IsAveraged(GpuField field) {
  switch (field) {
    case GpuField::kUtilization:
    case GpuField::kMemoryUtilization:
    case GpuField::kEncoder:
    case GpuField::kDecoder:
    case GpuField::kPower:
    case GpuField::kSmClock:
    case GpuField::kMemoryClock:
    case GpuField::kPcieRx:
    case GpuField::kPcieTx:
    case GpuField::kSmActive:
    case GpuField::kTensorActive:
    case GpuField::kDramActive:
      return true;
    default:
      return false;
  }
}

Subject SubjectOf(const Capture& capture, std::int32_t index) {
  if (index < 0) return {};  // of the library, not of one device
  for (const DeviceSeen& device : capture.devices) {
    if (device.index != index) continue;
    if (device.uuid != kNoName) return {SubjectKind::kGpu, capture.Name(device.uuid)};
    if (device.bus_id != kNoName)
      return {SubjectKind::kGpu, CanonicalBusId(capture.Name(device.bus_id))};
  }
  return {SubjectKind::kGpu, std::to_string(index)};
}

/// Looks before the window count only where there is none in it.
void KeepWindow(Series& series, const Scope& window) {
  const auto in_window = [&](const DeviceValue* look) { return look->at >= window.from; };
  if (std::any_of(series.looks.begin(), series.looks.end(), in_window)) {
    std::erase_if(series.looks, [&](const DeviceValue* look) { return !in_window(look); });
  }
}

Fact Start(FactId id, const Subject& subject, const Scope& window, StatKind kind, std::size_t n) {
  Fact fact;
  fact.id = id;
  fact.subject = subject;
  fact.scope = window;
  fact.stat = {kind, n, 1};
  fact.provenance = {"nvml", "", n > 0 ? Origin::kSampled : Origin::kRead};
  return fact;
}

/// Mean with twice its standard error, kept within what was seen.
void SetMean(Fact& fact, const std::vector<const DeviceValue*>& read) {
  double sum = 0;
  double least = static_cast<double>(*read.front()->value) / kThousandths;
  double most = least;
  for (const DeviceValue* look : read) {
    const double value = static_cast<double>(*look->value) / kThousandths;
    sum += value;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  const auto n = static_cast<double>(read.size());
  const double mean = sum / n;
  double squares = 0;
  for (const DeviceValue* look : read) {
    const double off = static_cast<double>(*look->value) / kThousandths - mean;
    squares += off * off;
  }
  const double error = read.size() > 1 ? std::sqrt(squares / (n - 1) / n) : most - least;
  fact.value = FactValue(mean);
  fact.interval = {std::max(least, mean - 2 * error), std::min(most, mean + 2 * error)};
}

/// A flag holds where it did in half of the looks and more.
void SetFlag(Fact& fact, const std::vector<const DeviceValue*>& read) {
  const auto on = std::count_if(read.begin(), read.end(),
                                [](const DeviceValue* look) { return *look->value != 0; });
  fact.value = FactValue(2 * static_cast<std::size_t>(on) >= read.size());
}

/// The text that was read most often; of two the later one.
void SetText(Fact& fact, const std::vector<const DeviceValue*>& read, const Capture& capture) {
  std::map<NameId, std::size_t> counts;
  NameId best = kNoName;
  for (const DeviceValue* look : read) {
    if (++counts[look->text] >= counts[best]) best = look->text;
  }
  fact.value = FactValue(capture.Name(best));
}

void WriteField(const Capture& capture, const Series& series, const Subject& subject, FactId id,
                FactSet& facts) {
  std::vector<const DeviceValue*> read;
  for (const DeviceValue* look : series.looks) {
    if (look->value) read.push_back(look);
  }
  const DeviceValue& last = *series.looks.back();
  const bool several = series.looks.size() > 1;
  const bool mean = IsAveraged(last.field) && last.kind == DeviceValueKind::kNumber;
  const std::size_t n =
      several && (mean || last.kind != DeviceValueKind::kNumber) ? read.size() : 0;
  StatKind kind = StatKind::kLast;
  if (mean && several) kind = StatKind::kMean;
  Fact fact = Start(id, subject, facts.window, kind, n);
  fact.provenance.source = capture.Name(last.call);
  fact.stat.coverage = static_cast<double>(read.size()) / static_cast<double>(series.looks.size());
  if (read.empty()) {
    fact.value = last.value.missing();
  } else if (last.kind == DeviceValueKind::kFlag) {
    SetFlag(fact, read);
  } else if (last.kind == DeviceValueKind::kText) {
    SetText(fact, read, capture);
  } else if (mean) {
    SetMean(fact, read);
  } else {
    const double value = static_cast<double>(*read.back()->value) / kThousandths;
    fact.value = FactValue(value);
    fact.interval = {value, value};
  }
  facts.Add(std::move(fact));
}

/// A sensor that the driver tried to read and could not.
void NoteUnreadable(const Capture& capture, const DeviceSeries& fields, const Subject& subject,
                    FactSet& facts) {
  for (const auto& [field, series] : fields) {
    const DeviceValue& last = *series.looks.back();
    if (last.value || last.value.missing().why != Why::kFailed) continue;
    Fact fact = Start(FactId::kGpuUnreadable, subject, facts.window, StatKind::kLast, 0);
    fact.provenance.source = capture.Name(last.call);
    fact.value = FactValue(last.value.missing().detail);
    facts.Add(std::move(fact));
  }
}

void WriteProcesses(const Capture& capture, std::int32_t index, const Subject& subject,
                    FactSet& facts) {
  bool graphics = false;
  std::optional<std::uint64_t> largest;
  MonoTime latest;
  for (const DeviceProcess& process : capture.device_processes) {
    if (process.index == index) latest = std::max(latest, process.at);
  }
  for (const DeviceProcess& process : capture.device_processes) {
    // One list: what was read within a second.
    if (process.index != index || process.at + std::chrono::seconds(1) < latest) continue;
    graphics |= process.graphics;
    if (process.graphics || !process.memory_kib) continue;
    largest = std::max(largest.value_or(0), *process.memory_kib);
  }
  if (graphics) {
    Fact fact = Start(FactId::kGpuDisplay, subject, facts.window, StatKind::kLast, 0);
    fact.provenance.source = "nvmlDeviceGetGraphicsRunningProcesses_v3";
    fact.value = FactValue(true);
    facts.Add(std::move(fact));
  }
  if (largest) {
    Fact fact = Start(FactId::kGpuProcessMemory, subject, facts.window, StatKind::kLast, 0);
    fact.provenance.source = "nvmlDeviceGetComputeRunningProcesses_v3";
    const double mib = static_cast<double>(*largest) / 1024;
    fact.value = FactValue(mib);
    fact.interval = {mib, mib};
    facts.Add(std::move(fact));
  }
}

/// What the library refused in words that are a finding by themselves.
void WriteMessages(const Capture& capture, FactSet& facts) {
  for (const DeviceMessage& message : capture.device_messages) {
    Fact fact = Start(FactId::kToolMessage, {SubjectKind::kInput, capture.Name(message.kind)},
                      facts.window, StatKind::kLast, 0);
    fact.provenance.source =
        message.index < 0 ? std::string("NVML") : SubjectOf(capture, message.index).Text();
    fact.value = FactValue(capture.Name(message.text));
    facts.Add(std::move(fact));
  }
}

struct NodeSource {
  std::string_view name;
  const char *what, *how;
  std::vector<std::string> hides;
};

std::vector<NodeSource> NodeSources() {
  return {{"nvml",
           N_("all that the GPU driver knows of the GPUs"),
           N_("nvidia-smi -q tells whether the driver answers at all"),
           {"clock.power-cap", "clock.stuck-low", "clock.thermal", "ecc.uncorrectable", "gpu.idle",
            "gpu.waiting", "pcie.width-degraded"}},
          {"kernel-log",
           N_("what the kernel's log says of GPUs, links and killed processes"),
           N_("run as root, or let users read it: sudo sysctl kernel.dmesg_restrict=0"),
           {"gpu.fallen-off-bus", "host.oom-kill", "xid.application", "xid.hardware"}},
          {"inventory",
           N_("the devices on the PCI bus"),
           N_("run on the host, or give the container its /sys"),
           {"pcie.errors", "pcie.slot-limited", "pcie.width-degraded"}},
          {"surroundings",
           N_("what the job was given: its environment and its container"),
           N_("run as root or as the job's user"),
           {"container.gpu-lost", "container.no-gpu", "env.allocator", "env.launch-blocking",
            "env.nccl", "env.threads", "env.visible-devices", "input.shm-small"}}};
}

/// A node without the driver, or without the bus, is no blind spot: whether there should be one the
/// other sources tell.
void NoteUnseen(const Capture& capture, FactSet& facts) {
  for (const NodeSource& known : NodeSources()) {
    for (const SourceReport& source : capture.sources) {
      if (source.name != known.name) continue;
      for (const Missing& missing : source.missing) {
        if (missing.detail == _("no NVIDIA driver is loaded")) continue;
        const std::string what = Tr(known.what);
        // Each file of a process is kept back for the same reason: it is said once.
        const bool again = known.name == "surroundings" && !facts.blinds.empty() &&
                           facts.blinds.back().what == what;
        if (again) continue;
        facts.blinds.push_back({what,
                                Format("{}: {}", WhyText(missing.why), Printable(missing.detail)),
                                Tr(known.how), known.hides});
      }
    }
  }
}

}  // namespace

Subject GpuAt(const Capture& capture, const std::string& address) {
  const std::string canonical = CanonicalBusId(address);
  for (const DeviceSeen& device : capture.devices) {
    if (CanonicalBusId(capture.Name(device.bus_id)) == canonical && device.uuid != kNoName)
      return {SubjectKind::kGpu, capture.Name(device.uuid)};
  }
  return {SubjectKind::kGpu, canonical};
}

std::vector<Subject> GpusOf(const Capture& capture, const std::set<std::int32_t>& pids) {
  std::set<std::int32_t> indices;
  for (const DeviceProcess& process : capture.device_processes) {
    if (!process.graphics && pids.contains(process.pid)) indices.insert(process.index);
  }
  std::vector<Subject> gpus;
  gpus.reserve(indices.size());
  for (const std::int32_t index : indices) gpus.push_back(SubjectOf(capture, index));
  return gpus;
}

void DeriveOthersLoad(const Capture& capture, const std::set<std::int32_t>& pids,
                      const std::vector<Subject>& gpus, FactSet& facts) {
  struct Mean {
    double sum = 0, n = 0;
  };
  std::map<Subject, std::map<std::int32_t, Mean>> others;
  std::map<Subject, Missing> missing;
  // Lists are read every ten seconds: the one before the window counts where there is none in it.
  MonoTime latest;
  for (const DeviceProcess& process : capture.device_processes)
    latest = std::max(latest, process.at);
  const MonoTime from =
      latest >= facts.window.from ? facts.window.from : latest + -std::chrono::seconds(1);
  for (const DeviceProcess& process : capture.device_processes) {
    if (process.graphics || process.at < from || pids.contains(process.pid)) continue;
    const Subject gpu = SubjectOf(capture, process.index);
    if (std::find(gpus.begin(), gpus.end(), gpu) == gpus.end()) continue;
    if (!process.sm_percent) {
      missing[gpu] = process.sm_percent.missing();
      continue;
    }
    Mean& mean = others[gpu][process.pid];
    mean.sum += *process.sm_percent;
    ++mean.n;
  }
  const auto write = [&](const Subject& gpu, const Reading<double>& load) {
    Fact fact = Start(FactId::kGpuOthersLoad, gpu, facts.window, StatKind::kMean, 0);
    fact.provenance.source = "nvmlDeviceGetProcessUtilization";
    fact.value = load ? Reading<FactValue>(FactValue(*load)) : Reading<FactValue>(load.missing());
    if (load) fact.interval = {*load, *load};
    facts.Add(std::move(fact));
  };
  for (const auto& [gpu, means] : others) {
    double load = 0;
    for (const auto& [pid, mean] : means) load += mean.sum / mean.n;
    write(gpu, std::min(load, 100.0));
    missing.erase(gpu);
  }
  for (const auto& [gpu, why] : missing) write(gpu, why);
}

void DeriveDevices(const Capture& capture, FactSet& facts) {
  std::map<std::int32_t, DeviceSeries> devices;
  for (const DeviceValue& value : capture.device_values) {
    devices[value.index][value.field].looks.push_back(&value);
  }
  for (auto& [index, fields] : devices) {
    const Subject subject = SubjectOf(capture, index);
    // First, because a listed graphics client counts for more than a display that is off.
    WriteProcesses(capture, index, subject, facts);
    for (auto& [field, series] : fields) {
      KeepWindow(series, facts.window);
      const FactId* id = FactOf(field);
      if (id != nullptr) WriteField(capture, series, subject, *id, facts);
    }
    NoteUnreadable(capture, fields, subject, facts);
  }
  WriteMessages(capture, facts);
  NoteUnseen(capture, facts);
}

}  // namespace gpuwhy
