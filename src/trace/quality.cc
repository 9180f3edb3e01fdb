#include "trace/quality.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/i18n.h"

namespace gpuwhy::trace {
namespace {

// A few kernels a microsecond before their launch are rounding; a tenth of them is two clocks that
// disagree.
constexpr double kSkewShare = 0.10;
constexpr double kOrphanShare = 0.10;

// Why events were left out that a profiler wrote; what the file itself lost its reader says.
void SayLost(Timeline& timeline) {
  constexpr std::array<std::pair<const char*, const char*>, 4> kReasons = {
      {{"no-time", N_("{} events without a time that can be used were left out")},
       {"negative-duration", N_("{} events that end before they start were left out")},
       {"overflowed-time", N_("{} events at times that no clock shows were left out")},
       {"unpaired", N_("{} events with a begin or an end alone were left out")}}};
  for (const auto& [reason, text] : kReasons) {
    const auto lost = timeline.lost.find(reason);
    if (lost != timeline.lost.end()) {
      timeline.problems.push_back(Format(Tr(text), lost->second));
    }
  }
}

}  // namespace

void CheckQuality(Timeline& timeline) {
  SayLost(timeline);
  const HostEvents& host = timeline.host;
  std::vector<std::pair<std::int64_t, std::int64_t>> launches;  // correlation, start
  for (std::size_t i = 0; i < host.size(); ++i) {
    const bool call = host.kind[i] == HostKind::kRuntime || host.kind[i] == HostKind::kDriver;
    if (call && host.correlation[i] >= 0) launches.emplace_back(host.correlation[i], host.start[i]);
  }
  std::sort(launches.begin(), launches.end());
  const DeviceEvents& device = timeline.device;
  std::size_t before = 0;
  std::size_t orphans = 0;
  std::int64_t worst = 0;
  for (std::size_t i = 0; i < device.size(); ++i) {
    const auto it = std::lower_bound(launches.begin(), launches.end(),
                                     std::make_pair(device.correlation[i], INT64_MIN));
    if (it == launches.end() || it->first != device.correlation[i]) {
      ++orphans;
    } else if (device.start[i] < it->second) {
      ++before;
      worst = std::max(worst, it->second - device.start[i]);
    }
  }
  const auto total = static_cast<double>(std::max<std::size_t>(device.size(), 1));
  if (static_cast<double>(before) > kSkewShare * total) {
    timeline.problems.push_back(Format(
        _("host and device clock disagree: {} of {} device events start before their launch, "
          "up to {:.1f} us; launch latencies and idle causes are doubtful"),
        before, device.size(), static_cast<double>(worst) / 1000));
  }
  if (!launches.empty() && static_cast<double>(orphans) > kOrphanShare * total) {
    timeline.problems.push_back(
        Format(_("{} of {} device events have no launch in the trace: idle time before them is "
                 "explained by the thread that launches most"),
               orphans, device.size()));
  }
}

}  // namespace gpuwhy::trace
