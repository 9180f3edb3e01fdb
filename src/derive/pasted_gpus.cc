// Looks of several tools at the same GPUs become facts: looks of one GPU whose figures agree are
// one moment, so that what one tool leaves out another may tell; looks that disagree stay apart.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "base/text.h"
#include "derive/pasted.h"
#include "derive/pasted_facts.h"
#include "derive/pasted_sharing.h"

namespace gpuwhy {
namespace {

struct FieldFact {
  GpuField field;
  FactId fact;
};

using F = GpuField;
constexpr FieldFact kFieldFacts[] = {
    {F::kName, FactId::kGpuName},
    {F::kDriver, FactId::kGpuDriver},
    {F::kPersistence, FactId::kGpuPersistence},
    {F::kDisplay, FactId::kGpuDisplay},
    {F::kMigMode, FactId::kGpuMigMode},
    {F::kPstate, FactId::kGpuPstate},
    {F::kUtilization, FactId::kGpuUtilization},
    {F::kMemoryUtilization, FactId::kGpuMemoryUtilization},
    {F::kEncoder, FactId::kGpuEncoder},
    {F::kDecoder, FactId::kGpuDecoder},
    {F::kJpeg, FactId::kGpuJpeg},
    {F::kOpticalFlow, FactId::kGpuOpticalFlow},
    {F::kMemoryUsed, FactId::kGpuMemoryUsed},
    {F::kMemoryTotal, FactId::kGpuMemoryTotal},
    {F::kBar1Used, FactId::kGpuBar1Used},
    {F::kBar1Total, FactId::kGpuBar1Total},
    {F::kTemperature, FactId::kGpuTemperature},
    {F::kTemperatureSlowdown, FactId::kGpuTemperatureSlowdown},
    {F::kTemperatureShutdown, FactId::kGpuTemperatureShutdown},
    {F::kTemperatureMemoryMax, FactId::kGpuTemperatureMemoryMax},
    {F::kTemperatureMargin, FactId::kGpuTemperatureMargin},
    {F::kFan, FactId::kGpuFan},
    {F::kPower, FactId::kGpuPower},
    {F::kPowerLimit, FactId::kGpuPowerLimit},
    {F::kPowerLimitDefault, FactId::kGpuPowerLimitDefault},
    {F::kPowerLimitMin, FactId::kGpuPowerLimitMin},
    {F::kPowerLimitMax, FactId::kGpuPowerLimitMax},
    {F::kSmClock, FactId::kGpuSmClock},
    {F::kMemoryClock, FactId::kGpuMemoryClock},
    {F::kAppSmClock, FactId::kGpuAppSmClock},
    {F::kDefaultSmClock, FactId::kGpuDefaultSmClock},
    {F::kMaxSmClock, FactId::kGpuMaxSmClock},
    {F::kMaxMemoryClock, FactId::kGpuMaxMemoryClock},
    {F::kReasonIdle, FactId::kGpuReasonIdle},
    {F::kReasonApplications, FactId::kGpuReasonApplications},
    {F::kReasonPowerCap, FactId::kGpuReasonPowerCap},
    {F::kReasonHwSlowdown, FactId::kGpuReasonHwSlowdown},
    {F::kReasonHwThermal, FactId::kGpuReasonHwThermal},
    {F::kReasonPowerBrake, FactId::kGpuReasonPowerBrake},
    {F::kReasonSyncBoost, FactId::kGpuReasonSyncBoost},
    {F::kReasonSwThermal, FactId::kGpuReasonSwThermal},
    {F::kCounterPowerCap, FactId::kGpuCounterPowerCap},
    {F::kCounterSwThermal, FactId::kGpuCounterSwThermal},
    {F::kCounterHwThermal, FactId::kGpuCounterHwThermal},
    {F::kCounterPowerBrake, FactId::kGpuCounterPowerBrake},
    {F::kLinkGen, FactId::kGpuLinkGen},
    {F::kLinkGenMax, FactId::kGpuLinkGenMax},
    {F::kLinkGenDeviceMax, FactId::kGpuLinkGenDeviceMax},
    {F::kLinkGenHostMax, FactId::kGpuLinkGenHostMax},
    {F::kLinkWidth, FactId::kGpuLinkWidth},
    {F::kLinkWidthMax, FactId::kGpuLinkWidthMax},
    {F::kPcieReplays, FactId::kGpuPcieReplays},
    {F::kPcieRx, FactId::kGpuPcieRx},
    {F::kPcieTx, FactId::kGpuPcieTx},
    {F::kEccMode, FactId::kGpuEccMode},
    {F::kEccVolatileCorrected, FactId::kGpuEccVolatileCorrected},
    {F::kEccVolatileUncorrected, FactId::kGpuEccVolatileUncorrected},
    {F::kEccAggregateCorrected, FactId::kGpuEccAggregateCorrected},
    {F::kEccAggregateUncorrected, FactId::kGpuEccAggregateUncorrected},
    {F::kRetiredSingle, FactId::kGpuRetiredSingle},
    {F::kRetiredDouble, FactId::kGpuRetiredDouble},
    {F::kRetiredPending, FactId::kGpuRetiredPending},
    {F::kRemapCorrectable, FactId::kGpuRemapCorrectable},
    {F::kRemapUncorrectable, FactId::kGpuRemapUncorrectable},
    {F::kRemapPending, FactId::kGpuRemapPending},
    {F::kRemapFailed, FactId::kGpuRemapFailed},
    {F::kRecoveryAction, FactId::kGpuRecoveryAction},
    {F::kFabricState, FactId::kGpuFabricState},
    {F::kFabricStatus, FactId::kGpuFabricStatus},
    {F::kComputeMode, FactId::kGpuComputeMode},
    {F::kUnreadable, FactId::kGpuUnreadable},
    {F::kNvlinkActive, FactId::kNvlinkActive},
    {F::kNvlinkInactive, FactId::kNvlinkInactive},
    {F::kNvlinkErrors, FactId::kNvlinkErrors},
    {F::kProcesses, FactId::kGpuComputeProcesses},
    {F::kMigSlices, FactId::kGpuMigSlices},
    {F::kSmActive, FactId::kGpuSmActive},
    {F::kTensorActive, FactId::kGpuTensorActive},
    {F::kDramActive, FactId::kGpuDramActive},
    {F::kDriverStart, FactId::kDriverStart},
};

/// A device as the tools name it; what one of them does not tell another may.
struct Identity {
  std::string uuid, bus_id, file;
  std::int32_t index = -1;
};

bool Same(const Identity& known, const Identity& seen) {
  const bool two_uuids = !known.uuid.empty() && !seen.uuid.empty();
  if (two_uuids) return known.uuid == seen.uuid;
  if (!known.bus_id.empty() && !seen.bus_id.empty()) return known.bus_id == seen.bus_id;
  if (known.index >= 0 && seen.index >= 0) return known.index == seen.index;
  return known.file == seen.file;
}

struct Moment {
  std::size_t gpu = 0;
  std::vector<const GpuLook*> looks;
};

Reading<double> NumberOf(const GpuLook& look, GpuField field) {
  for (const GpuValue& value : look.values) {
    if (value.field != field || !value.value) continue;
    if (const auto* number = std::get_if<double>(&*value.value)) return *number;
  }
  return {};
}

/// Two tools asked one after the other: figures of one state of the device differ by no more.
bool Agree(const GpuLook& a, const GpuLook& b) {
  struct Tolerance {
    GpuField field;
    double absolute, relative;
  };
  constexpr Tolerance kTolerances[] = {{F::kUtilization, 10, 0}, {F::kEncoder, 10, 0},
                                       {F::kDecoder, 10, 0},     {F::kPower, 8, 0.1},
                                       {F::kSmClock, 30, 0.03},  {F::kMemoryUsed, 64, 0.05},
                                       {F::kBar1Used, 0.5, 0}};
  return std::all_of(std::begin(kTolerances), std::end(kTolerances), [&](const Tolerance& one) {
    const Reading<double> first = NumberOf(a, one.field);
    const Reading<double> second = NumberOf(b, one.field);
    if (!first || !second) return true;
    const double allowed = one.absolute + one.relative * std::max(*first, *second);
    return std::fabs(*first - *second) <= allowed;
  });
}

class Gpus {
 public:
  std::size_t Find(Identity seen) {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (!Same(all_[i], seen)) continue;
      if (all_[i].uuid.empty()) all_[i].uuid = seen.uuid;
      if (all_[i].bus_id.empty()) all_[i].bus_id = seen.bus_id;
      if (all_[i].index < 0) all_[i].index = seen.index;
      return i;
    }
    // An output that names no device speaks of the only one, where there is only one.
    const bool nameless = seen.uuid.empty() && seen.bus_id.empty() && seen.index < 0;
    if (nameless && all_.size() == 1) return 0;
    all_.push_back(std::move(seen));
    return all_.size() - 1;
  }

  [[nodiscard]] Subject SubjectOf(std::size_t i) const {
    const Identity& gpu = all_[i];
    if (!gpu.uuid.empty()) return {SubjectKind::kGpu, gpu.uuid};
    if (!gpu.bus_id.empty()) return {SubjectKind::kGpu, gpu.bus_id};
    if (gpu.index >= 0) return {SubjectKind::kGpu, std::to_string(gpu.index)};
    return {SubjectKind::kGpu, "@" + gpu.file};
  }

 private:
  std::vector<Identity> all_;
};

Identity IdentityOf(const GpuLook& look) {
  return {look.uuid, CanonicalBusId(look.bus_id), look.file, look.index};
}

/// From so many rows of one output on their mean says more of a GPU than any single row.
constexpr std::uint64_t kFewestRows = 3;

/// The mean load of a GPU over the rows of the output that has most of them.
void WriteSeries(const std::vector<const GpuLook*>& looks, const Subject& subject,
                 std::size_t number, FactSet& facts) {
  struct Rows {
    double sum = 0;
    std::uint64_t count = 0;
    std::string first;
  };
  std::map<std::pair<std::string, std::string>, Rows> outputs;
  for (const GpuLook* look : looks) {
    const Reading<double> load = NumberOf(*look, F::kUtilization);
    if (!load) continue;
    Rows& rows = outputs[{look->file, look->reader}];
    rows.sum += *load;
    if (rows.count++ == 0) rows.first = look->file + ":" + std::to_string(look->line);
  }
  const auto most = std::max_element(
      outputs.begin(), outputs.end(),
      [](const auto& a, const auto& b) { return a.second.count < b.second.count; });
  if (most == outputs.end() || most->second.count < kFewestRows) return;
  const Rows& rows = most->second;
  Fact fact = FactAt(FactId::kGpuSeriesLoad, subject, number,
                     {most->first.second, rows.first, Origin::kComputed});
  const double mean = rows.sum / static_cast<double>(rows.count);
  fact.stat = {StatKind::kMean, rows.count, 1};
  fact.value = FactValue(mean);
  fact.interval = {mean, mean};
  facts.Add(std::move(fact));
}

/// The larger of two counts, else the first that was read.
bool Better(const Fact& known, const Reading<PastedValue>& seen) {
  if (!known.value) return seen.has();
  if (!seen || known.id < FactId::kGpuEccVolatileCorrected ||
      known.id > FactId::kGpuEccAggregateUncorrected) {
    return false;
  }
  const auto* number = std::get_if<double>(&*seen);
  return number != nullptr && *number > known.Number();
}

void SetValue(Fact& fact, const GpuLook& look, const GpuValue& seen) {
  fact.provenance = {look.reader, look.file + ":" + std::to_string(seen.line), Origin::kRead};
  if (!seen.value) {
    fact.value = seen.value.missing();
    return;
  }
  fact.value = std::visit([](const auto& value) { return FactValue(value); }, *seen.value);
  if (const auto* number = std::get_if<double>(&*seen.value)) fact.interval = {*number, *number};
}

void WriteMoment(const Moment& moment, const Subject& subject, std::size_t number, FactSet& facts) {
  std::vector<Fact> written;
  for (const GpuLook* look : moment.looks) {
    for (const GpuValue& value : look->values) {
      const FactId* id = FactOf(value.field);
      if (id == nullptr) continue;
      auto known = std::find_if(written.begin(), written.end(),
                                [&](const Fact& fact) { return fact.id == *id; });
      if (known == written.end()) {
        written.push_back(FactAt(*id, subject, number, {}));
        SetValue(written.back(), *look, value);
      } else if (Better(*known, value.value)) {
        SetValue(*known, *look, value);
      }
    }
  }
  for (Fact& fact : written) facts.Add(std::move(fact));
}

/// A context of this size at least, in MiB, computes; desktop programs hold less in type C.
bool Computes(const GpuProcess& process) {
  return process.type.find('C') != std::string::npos || process.type.empty();
}

/// The processes that the files of a moment list on its GPU.
void WriteProcesses(const Capture& capture, const Moment& moment, const Identity& gpu,
                    const Subject& subject, std::size_t number, FactSet& facts) {
  std::set<std::string> files;
  for (const GpuLook* look : moment.looks) files.insert(look->file);
  std::set<std::int32_t> computing;
  bool graphics = false;
  bool listed = false;
  double largest = 0;
  Provenance from{"nvidia-smi", "", Origin::kRead};
  for (const ProcessTableSeen& table : capture.pasted.process_tables) {
    if (!files.contains(table.place.file)) continue;
    listed = true;
    from.source = table.place.file + ":" + std::to_string(table.place.line);
  }
  for (const GpuProcess& process : capture.pasted.processes) {
    if (!files.contains(process.place.file)) continue;
    const Identity seen{process.gpu_id.find("GPU-") == 0 ? process.gpu_id : "",
                        process.gpu_id.find("GPU-") == 0 ? "" : CanonicalBusId(process.gpu_id),
                        process.place.file, process.gpu};
    if (!Same(gpu, seen)) continue;
    listed = true;
    if (process.type.find('G') != std::string::npos) graphics = true;
    if (!Computes(process)) continue;
    computing.insert(process.pid);
    from.source = process.place.file + ":" + std::to_string(process.place.line);
    if (process.memory) largest = std::max(largest, *process.memory);
  }
  if (graphics) {
    Fact fact = FactAt(FactId::kGpuDisplay, subject, number, from);
    fact.value = FactValue(true);
    facts.Add(std::move(fact));
  }
  if (!listed || from.source.empty()) return;
  AddCount(facts, FactId::kGpuComputeProcesses, subject, number,
           static_cast<double>(computing.size()), from);
  if (largest > 0) AddCount(facts, FactId::kGpuProcessMemory, subject, number, largest, from);
}

double GenOf(double speed) {
  constexpr double kSpeeds[] = {2.5, 5, 8, 16, 32, 64};
  for (std::size_t i = 0; i < std::size(kSpeeds); ++i) {
    if (std::fabs(kSpeeds[i] - speed) < 0.01) return static_cast<double>(i + 1);
  }
  return 0;
}

/// A GPU's end of its link by lspci. A lone link without a name may be any device's: it is taken
/// for the one that was asked about.
void WritePci(const Capture& capture, Gpus& gpus, std::size_t& moments, FactSet& facts) {
  const std::vector<PciDevice>& devices = capture.pasted.pci;
  for (const PciDevice& device : devices) {
    const bool lone = devices.size() == 1 && device.address.empty();
    if (!device.gpu && !lone) continue;
    if (!device.width_now && !device.speed_now) continue;
    const Subject subject = gpus.SubjectOf(gpus.Find({"", device.address, device.place.file, -1}));
    const std::size_t moment = moments++;
    const auto add = [&](FactId id, const Reading<double>& value, std::uint32_t line) {
      if (!value || *value <= 0) return;
      AddCount(facts, id, subject, moment, *value,
               {"lspci", device.place.file + ":" + std::to_string(line), Origin::kRead});
    };
    const auto gen = [](const Reading<double>& speed) -> Reading<double> {
      if (!speed) return speed.missing();
      return GenOf(*speed);
    };
    add(FactId::kGpuLinkWidth, device.width_now, device.status_line);
    add(FactId::kGpuLinkWidthMax, device.width_able, device.cap_line);
    if (device.downgraded && !device.width_able) {
      // The capability was cut off, but lspci compared with it.
      add(FactId::kGpuLinkWidthMax, 16.0, device.status_line);
    }
    add(FactId::kGpuLinkGen, gen(device.speed_now), device.status_line);
    add(FactId::kGpuLinkGenMax, gen(device.speed_able), device.cap_line);
  }
}

}  // namespace

const FactId* FactOf(GpuField field) {
  const auto* row = std::find_if(std::begin(kFieldFacts), std::end(kFieldFacts),
                                 [&](const FieldFact& one) { return one.field == field; });
  return row == std::end(kFieldFacts) ? nullptr : &row->fact;
}

void DerivePastedGpus(const Capture& capture, FactSet& facts) {
  Gpus gpus;
  std::vector<Moment> moments;
  std::vector<std::vector<const GpuLook*>> of_gpu;
  // Fuller outputs first: they name the device best.
  std::vector<const GpuLook*> looks;
  for (const GpuLook& look : capture.pasted.gpus) {
    if (!look.mig) looks.push_back(&look);
  }
  std::stable_sort(looks.begin(), looks.end(), [](const GpuLook* a, const GpuLook* b) {
    return a->values.size() > b->values.size();
  });
  for (const GpuLook* look : looks) {
    const std::size_t gpu = gpus.Find(IdentityOf(*look));
    if (gpu >= of_gpu.size()) of_gpu.resize(gpu + 1);
    of_gpu[gpu].push_back(look);
    const auto fits = [&](const Moment& moment) {
      return moment.gpu == gpu &&
             std::all_of(moment.looks.begin(), moment.looks.end(),
                         [&](const GpuLook* other) { return Agree(*other, *look); });
    };
    const auto found = std::find_if(moments.begin(), moments.end(), fits);
    Moment& moment = found == moments.end() ? moments.emplace_back() : *found;
    moment.gpu = gpu;
    // More than a few looks add nothing to one moment but time.
    if (moment.looks.size() < 16) moment.looks.push_back(look);
  }
  std::size_t number = 0;
  for (const Moment& moment : moments) {
    const Subject subject = gpus.SubjectOf(moment.gpu);
    const Identity gpu = IdentityOf(*moment.looks.front());
    // First, because a listed graphics client counts for more than "Display Active: Disabled".
    WriteProcesses(capture, moment, gpu, subject, number, facts);
    WriteMoment(moment, subject, number, facts);
    ++number;
  }
  for (std::size_t gpu = 0; gpu < of_gpu.size(); ++gpu) {
    WriteSeries(of_gpu[gpu], gpus.SubjectOf(gpu), number++, facts);
  }
  const auto subject_of = [&](const GpuProcess& process) {
    return gpus.SubjectOf(gpus.Find({"", "", process.place.file, process.gpu}));
  };
  DerivePastedSharing(capture, number, subject_of, facts);
  WritePci(capture, gpus, number, facts);
}

}  // namespace gpuwhy
