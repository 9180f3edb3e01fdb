#include "trace/figures.h"

#include <algorithm>
#include <set>
#include <utility>

namespace gpuwhy::trace {
namespace {

std::size_t Index(Work work) { return static_cast<std::size_t>(work); }

bool IsOn(const Timeline& timeline, std::size_t event, const std::int64_t* device) {
  return device == nullptr || timeline.lanes[timeline.device.lane[event]].device == *device;
}

}  // namespace

std::vector<std::int64_t> DevicesOf(const Timeline& timeline) {
  std::vector<bool> used(timeline.lanes.size());
  for (const std::uint32_t lane : timeline.device.lane) used[lane] = true;
  std::set<std::int64_t> ids;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i]) ids.insert(timeline.lanes[i].device);
  }
  return {ids.begin(), ids.end()};
}

WorkSets SetsOf(const Timeline& timeline, const std::int64_t* device) {
  const DeviceEvents& events = timeline.device;
  std::array<std::vector<Span>, kWorkKinds> spans;
  WorkSets sets;
  bool any = false;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (!IsOn(timeline, i, device)) continue;
    const Span span{events.start[i], events.end[i]};
    sets.span.start = any ? std::min(sets.span.start, span.start) : span.start;
    sets.span.end = any ? std::max(sets.span.end, span.end) : span.end;
    any = true;
    spans[Index(events.work[i])].push_back(span);
  }
  for (std::size_t kind = 0; kind < kWorkKinds; ++kind) {
    sets.by_work[kind] = Union(std::move(spans[kind]));
    sets.busy = Union(sets.busy, sets.by_work[kind]);
  }
  return sets;
}

Figures FiguresOf(const Timeline& timeline, const WorkSets& sets, const std::int64_t* device) {
  Figures f;
  const DeviceEvents& events = timeline.device;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (!IsOn(timeline, i, device)) continue;
    const std::size_t kind = Index(events.work[i]);
    f.sum_ns[kind] += events.end[i] - events.start[i];
    ++f.count[kind];
  }
  for (std::size_t kind = 0; kind < kWorkKinds; ++kind)
    f.union_ns[kind] = Length(sets.by_work[kind]);
  f.span_ns = sets.span.Length();
  f.busy_ns = Length(sets.busy);
  f.idle_ns = f.span_ns - f.busy_ns;
  const SpanSet& compute = sets.by_work[Index(Work::kCompute)];
  const SpanSet& comm = sets.by_work[Index(Work::kComm)];
  f.exposed_comm_ns = Length(Minus(comm, compute));
  f.overlap_comm_ns = f.union_ns[Index(Work::kComm)] - f.exposed_comm_ns;
  SpanSet copies;
  for (const Work kind : {Work::kH2D, Work::kD2H, Work::kD2D, Work::kP2P, Work::kMemcpyOther}) {
    copies = Union(copies, sets.by_work[Index(kind)]);
  }
  f.exposed_memcpy_ns = Length(Minus(copies, Union(compute, comm)));
  return f;
}

}  // namespace gpuwhy::trace
