#include "diagnose/rules/device/gpu_signs.h"

#include <algorithm>

#include "diagnose/rules/rule_view.h"

namespace gpuwhy {

bool HasReason(const GpuMoment& gpu) {
  for (const FactId id :
       {FactId::kGpuReasonApplications, FactId::kGpuReasonHwSlowdown, FactId::kGpuReasonHwThermal,
        FactId::kGpuReasonPowerBrake, FactId::kGpuReasonPowerCap, FactId::kGpuReasonSwThermal,
        FactId::kGpuReasonSyncBoost}) {
    if (gpu.IsOn(id)) return true;
  }
  return false;
}

bool IsAtFullClock(const GpuMoment& gpu, const GpuPolicy& policy) {
  const std::optional<double> clock = gpu.Number(FactId::kGpuSmClock);
  const std::optional<double> highest = gpu.Number(FactId::kGpuMaxSmClock);
  return clock && highest && *highest > 0 && *clock >= policy.lowered * *highest;
}

bool IsHeldByPower(const GpuMoment& gpu, const GpuPolicy& policy) {
  const std::optional<bool> flag = gpu.Flag(FactId::kGpuReasonPowerCap);
  const std::optional<double> power = gpu.PowerShare();
  const std::optional<bool> busy = gpu.IsBusy(policy);
  if (busy ? !*busy : gpu.IsIdle(policy)) return false;
  if (flag) return *flag && (!power || *power >= policy.near_limit);
  return power && *power >= policy.at_limit && busy.value_or(false);
}

bool CounterGrew(const GpuMoment& gpu, const std::vector<GpuMoment>& moments) {
  const std::optional<double> now = gpu.Number(FactId::kGpuCounterPowerCap);
  if (!now) return false;
  return std::any_of(moments.begin(), moments.end(), [&](const GpuMoment& other) {
    const std::optional<double> before = other.Number(FactId::kGpuCounterPowerCap);
    return other.Of() == gpu.Of() && before && *before < *now;
  });
}

bool IsMig(const GpuMoment& gpu, const FactSet& facts) {
  return gpu.IsOn(FactId::kGpuMigMode) || !facts.All(FactId::kGpuMigSlices).empty();
}

const Fact* ReferenceClock(const GpuMoment& gpu, const std::vector<GpuMoment>& moments) {
  const Fact* best = gpu.Look(FactId::kGpuMaxSmClock);
  if (IsNumber(best)) return best;
  best = nullptr;
  for (const GpuMoment& other : moments) {
    if (other.Of() != gpu.Of()) continue;
    const Fact* clock = other.Look(FactId::kGpuSmClock);
    if (!IsNumber(clock)) continue;
    if (best == nullptr || clock->Number() > best->Number()) best = clock;
  }
  return best;
}

bool IsBusyElsewhere(const GpuMoment& gpu, const std::vector<GpuMoment>& moments,
                     const GpuPolicy& policy) {
  return std::any_of(moments.begin(), moments.end(), [&](const GpuMoment& other) {
    if (other.Of() != gpu.Of()) return false;
    const Fact* engine = other.BusiestEngine();
    return other.IsBusy(policy).value_or(false) ||
           (engine != nullptr && engine->Number() >= policy.busy);
  });
}

NvlinkCount CountNvlinks(const FactSet& facts) {
  NvlinkCount count;
  for (const Fact* up : facts.All(FactId::kNvlinkActive)) {
    const Fact* down = facts.Find(FactId::kNvlinkInactive, up->subject);
    if (!IsNumber(up) || !IsNumber(down)) continue;
    ++count.gpus;
    count.active += up->Number();
    count.inactive += down->Number();
    count.most = std::max(count.most, up->Number() + down->Number());
    if (down->Number() > 0) ++count.gpus_touched;
    if (down->Number() > 0 && up->Number() <= 0) ++count.gpus_all_down;
  }
  return count;
}

bool LooksLikeAbsentPeer(const NvlinkCount& count) {
  return count.gpus >= 3 && count.gpus_touched >= 2 && count.gpus_all_down <= 0 && count.most > 0 &&
         count.inactive == count.most;
}

void CiteDownLinks(Finding& finding, const FactSet& facts) {
  for (const Fact* down : facts.All(FactId::kNvlinkInactive)) {
    if (IsNumber(down) && down->Number() > 0) finding.evidence.push_back(Cite(*down, "0"));
  }
}

}  // namespace gpuwhy
