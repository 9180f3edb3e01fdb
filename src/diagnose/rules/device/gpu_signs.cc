#include "diagnose/rules/device/gpu_signs.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {

bool HasReason(const GpuMoment& gpu) {
  static constexpr std::array<FactId, 7> kReasons = {
      FactId::kGpuReasonApplications, FactId::kGpuReasonHwSlowdown, FactId::kGpuReasonHwThermal,
      FactId::kGpuReasonPowerBrake,   FactId::kGpuReasonPowerCap,   FactId::kGpuReasonSwThermal,
      FactId::kGpuReasonSyncBoost};
  return std::any_of(kReasons.begin(), kReasons.end(), [&](FactId id) { return gpu.IsOn(id); });
}

bool IsAtFullClock(const GpuMoment& gpu, const GpuPolicy& policy) {
  const std::optional<double> clock = gpu.Number(FactId::kGpuSmClock);
  const std::optional<double> highest = gpu.Number(FactId::kGpuMaxSmClock);
  return clock && highest && *highest > 0 && *clock >= policy.lowered * *highest;
}

bool IsColdThermalFlag(const GpuMoment& gpu) {
  // The limits of GPU and memory lie above 80 C; memory runs up to 30 degrees hotter than the GPU,
  // whose temperature is the one that every board tells.
  constexpr double kCold = 50;
  const std::optional<double> now = gpu.Number(FactId::kGpuTemperature);
  return now && *now < kCold && !gpu.IsOn(FactId::kGpuReasonHwThermal);
}

bool IsBrakeWithoutSlowdown(const GpuMoment& gpu) {
  const bool whole = gpu.Flag(FactId::kGpuReasonHwSlowdown).value_or(true);
  // A clock that was read tells more than the flags.
  return !whole && !gpu.Number(FactId::kGpuSmClock);
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

bool IsLaptop(const GpuMoment& gpu) {
  const std::string name = gpu.Text(FactId::kGpuName);
  for (const std::string_view part : {"Laptop", "Max-Q", "Mobile", "with Max"}) {
    if (name.find(part) != std::string::npos) return true;
  }
  // "GeForce GTX 960M", "Quadro M2000M"; not "Tesla M40", nor SXM boards.
  const std::size_t digit = name.find_last_of("0123456789");
  return digit != std::string::npos && digit + 2 == name.size() && name.back() == 'M' &&
         (name.find("GeForce") != std::string::npos || name.find("Quadro") != std::string::npos);
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

bool IsNarrowByDesign(const GpuMoment& gpu, const std::vector<GpuMoment>& moments) {
  const std::optional<double> now = gpu.Number(FactId::kGpuLinkWidth);
  const std::optional<double> most = gpu.Number(FactId::kGpuLinkWidthMax);
  if (!now || !most || *now >= *most || *now < 4) return false;
  if (IsLaptop(gpu)) return true;
  // DCGM asks for no more than 8 lanes of these; clouds wire them so.
  const std::string name = gpu.Text(FactId::kGpuName);
  for (const std::string_view board : {"T4", "L4", "A10G", "L40S"}) {
    const std::size_t at = name.rfind(board);
    if (*now >= 8 && at != std::string::npos && at + board.size() == name.size()) return true;
  }
  bool others = false;
  for (const GpuMoment& other : moments) {
    const std::optional<double> width = other.Number(FactId::kGpuLinkWidth);
    if (!width || other.Of() == gpu.Of()) continue;
    others = true;
    if (*width != *now) return false;
  }
  return others;
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

const Fact* SeriesLoad(const FactSet& facts, const GpuMoment& gpu) {
  const Fact* load = facts.Find(FactId::kGpuSeriesLoad, gpu.Of());
  return IsNumber(load) ? load : nullptr;
}

bool LogSaysStarved(const FactSet& facts) {
  // From here on waiting for data is a finding of its own (xprof: 5 % moderate, TraceML: 10 %).
  constexpr double kStarved = 0.10;
  const std::vector<const Fact*> shares = facts.All(FactId::kLogDataShare);
  return std::any_of(shares.begin(), shares.end(), [](const Fact* share) {
    return IsNumber(share) && share->Number() >= kStarved;
  });
}

Unknown MomentAgainstLog(std::string_view id) {
  return {
      _("whether the GPU is the limit"),
      _("it was busy when it was looked at, but the log says that steps wait for data: the look "
        "fell between two waits, or on another job"),
      _("watch both at once: gpuwhy diagnose on that host while the job runs"),
      {std::string(id)}};
}

bool IsOneMoment(const FactSet& facts, const GpuMoment& gpu) {
  return gpu.When().from >= gpu.When().to && SeriesLoad(facts, gpu) == nullptr;
}

void SetBound(Finding& finding, const FactSet& facts, const GpuMoment& gpu, double share,
              Confidence sure) {
  finding.confidence = sure;
  if (gpu.When().from < gpu.When().to) {
    finding.bound = share;
  } else if (const Fact* load = SeriesLoad(facts, gpu)) {
    finding.bound = share;
    finding.confidence = std::min(sure, Confidence::kMedium);
    finding.evidence.push_back(Cite(*load));
  } else {
    finding.at_one_moment = true;
    finding.confidence = Confidence::kLow;
  }
}

std::string LspciCommand(const Subject& gpu) {
  const bool address = gpu.id.find(':') != std::string::npos &&
                       gpu.id.find_first_not_of("0123456789abcdefABCDEF:.") == std::string::npos;
  return address ? "sudo lspci -vv -s " + ShellQuote(gpu.id) : "sudo lspci -vv -d 10de:";
}

RuleResult OnMessage(const FactSet& facts, std::string_view message, std::string_view id,
                     const Wording& wording, Weight weight) {
  for (const Fact* fact : facts.All(FactId::kToolMessage)) {
    if (fact->subject.id != message) continue;
    Finding finding = DeviceFinding(id, Subject{SubjectKind::kHost, ""}, wording);
    finding.severity = weight.severity;
    finding.confidence = weight.confidence;
    finding.evidence.push_back(Cite(*fact));
    return {{std::move(finding)}, {}};
  }
  return {};
}

NvlinkCount CountNvlinks(const FactSet& facts) {
  NvlinkCount count;
  double first_down = 0;
  for (const Fact* up : facts.All(FactId::kNvlinkActive)) {
    const Fact* down = facts.Find(FactId::kNvlinkInactive, up->subject);
    if (!IsNumber(up) || !IsNumber(down)) continue;
    if (count.gpus > 0 && down->Number() != first_down) count.alike = false;
    if (count.gpus <= 0) first_down = down->Number();
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
