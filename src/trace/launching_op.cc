#include "trace/launching_op.h"

#include <algorithm>
#include <utility>

namespace gpuwhy::trace {
namespace {

bool IsLaunch(const HostEvents& host, std::uint32_t event) {
  return host.correlation[event] >= 0 &&
         (host.kind[event] == HostKind::kRuntime || host.kind[event] == HostKind::kDriver);
}

using ByCorrelation = std::vector<std::pair<std::int64_t, std::uint32_t>>;

// events: operators and launches of one thread.
void Nest(const HostEvents& host, std::vector<std::uint32_t> events, ByCorrelation& ops) {
  std::sort(events.begin(), events.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (host.start[a] != host.start[b]) return host.start[a] < host.start[b];
    if (IsLaunch(host, a) != IsLaunch(host, b)) return IsLaunch(host, b);
    return host.end[a] != host.end[b] ? host.end[a] > host.end[b] : a < b;
  });
  std::vector<std::uint32_t> open;
  for (const std::uint32_t event : events) {
    while (!open.empty() && host.end[open.back()] <= host.start[event]) open.pop_back();
    if (!IsLaunch(host, event)) {
      open.push_back(event);
    } else if (!open.empty()) {
      ops.emplace_back(host.correlation[event], open.back());
    }
  }
}

}  // namespace

std::vector<std::uint32_t> LaunchingOps(const Timeline& timeline) {
  const HostEvents& host = timeline.host;
  std::vector<std::vector<std::uint32_t>> by_thread(timeline.threads.size());
  for (std::uint32_t i = 0; i < host.size(); ++i) {
    if (host.kind[i] == HostKind::kOp || IsLaunch(host, i)) by_thread[host.thread[i]].push_back(i);
  }
  ByCorrelation ops;
  for (std::vector<std::uint32_t>& events : by_thread) Nest(host, std::move(events), ops);
  std::sort(ops.begin(), ops.end());
  const DeviceEvents& device = timeline.device;
  std::vector<std::uint32_t> of_event(device.size(), UINT32_MAX);
  for (std::size_t i = 0; i < device.size(); ++i) {
    if (device.correlation[i] < 0) continue;
    const auto op = std::lower_bound(ops.begin(), ops.end(),
                                     std::make_pair(device.correlation[i], std::uint32_t{0}));
    if (op != ops.end() && op->first == device.correlation[i]) of_event[i] = op->second;
  }
  return of_event;
}

}  // namespace gpuwhy::trace
