// A rank as a summary holds it, for tests.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "trace/analysis.h"
#include "trace/summary_file.h"
#include "trace/test_timeline.h"

namespace gpuwhy::trace {

inline Analysis SampleRank(int steps = 5) {
  TestTimeline t;
  for (int i = 0; i < steps; ++i) {
    const std::int64_t start = 1'700'000'000'000'000'000 + i * 1'000'000;
    t.Step("ProfilerStep#" + std::to_string(i), start, start + 900'000);
    t.Host(HostKind::kOp, "enumerate(DataLoader)#x.__next__", start, start + 100'000);
    t.Launch(start + 100'000, start + 110'000, i);
    t.Kernel(start + 200'000, start + 400'000, i, "volta_sgemm");
    t.Device(Work::kComm, start + 400'000, start + 500'000, -1, "ncclDevKernel_AllReduce");
    t.Device(Work::kH2D, start + 500'000, start + 500'100, -1, "Memcpy HtoD");
  }
  t.timeline.file = "a \"b\"\xff.json";
  t.timeline.format = "kineto";
  t.timeline.world_size = 8;
  t.timeline.lost["truncated"] = 3;
  t.timeline.problems.emplace_back("doubtful");
  return Analyze(std::move(t.timeline), -1);
}

}  // namespace gpuwhy::trace
