// Timelines made by hand, for tests. Times in nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trace/timeline.h"

namespace gpuwhy::trace {

class TestTimeline {
 public:
  TestTimeline& Device(Work work, std::int64_t start, std::int64_t end,
                       std::int64_t correlation = -1, std::string_view name = "kernel",
                       std::int64_t device = 0, std::int64_t stream = 7) {
    DeviceEvents& d = timeline.device;
    d.start.push_back(start);
    d.end.push_back(end);
    d.name.push_back(timeline.names.Intern(name));
    d.lane.push_back(LaneOf(device, stream));
    d.correlation.push_back(correlation);
    d.work.push_back(work);
    d.host_memory.push_back(HostMemory::kUnknown);
    d.bytes.push_back(0);
    d.detail.push_back(0);
    return *this;
  }
  TestTimeline& Kernel(std::int64_t start, std::int64_t end, std::int64_t correlation = -1,
                       std::string_view name = "kernel") {
    return Device(Work::kCompute, start, end, correlation, name);
  }
  TestTimeline& Host(HostKind kind, std::string_view name, std::int64_t start, std::int64_t end,
                     std::int64_t correlation = -1, std::uint32_t thread = 0) {
    while (timeline.threads.size() <= thread) {
      const NameIndex tid = timeline.names.Intern(std::to_string(timeline.threads.size()));
      timeline.threads.push_back({timeline.names.Intern("1"), tid});
    }
    HostEvents& h = timeline.host;
    h.start.push_back(start);
    h.end.push_back(end);
    h.name.push_back(timeline.names.Intern(name));
    h.thread.push_back(thread);
    h.correlation.push_back(correlation);
    h.kind.push_back(kind);
    return *this;
  }
  TestTimeline& Launch(std::int64_t start, std::int64_t end, std::int64_t correlation,
                       std::uint32_t thread = 0) {
    return Host(HostKind::kRuntime, "cudaLaunchKernel", start, end, correlation, thread);
  }
  TestTimeline& Step(std::string_view name, std::int64_t start, std::int64_t end) {
    timeline.steps.push_back({timeline.names.Intern(name), start, end});
    return *this;
  }

  Timeline timeline;

 private:
  std::uint32_t LaneOf(std::int64_t device, std::int64_t stream) {
    for (std::uint32_t i = 0; i < timeline.lanes.size(); ++i) {
      if (timeline.lanes[i].device == device && timeline.lanes[i].stream == stream) return i;
    }
    timeline.lanes.push_back({device, stream});
    return static_cast<std::uint32_t>(timeline.lanes.size() - 1);
  }
};

}  // namespace gpuwhy::trace
