// From one timeline to all that is said of it. What is kept is small: the timeline itself is gone
// before the next file is read.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "trace/anatomy.h"
#include "trace/cross_rank.h"
#include "trace/figures.h"
#include "trace/kernels.h"
#include "trace/rank_summary.h"
#include "trace/step_figures.h"
#include "trace/step_kernels.h"
#include "trace/steps.h"
#include "trace/timeline.h"
#include "trace/what_if.h"

namespace gpuwhy::trace {

struct DeviceReport {
  std::int64_t device = 0;
  std::string name;  ///< empty: not recorded
  Figures figures;
  Parts parts{};
};

struct GapReport {
  std::int64_t start_ns = 0, dur_ns = 0;
  Part cause = Part::kUnexplained;
  std::string host, ended_by;  ///< the call or op that filled most of it; the work that ended it
  std::string frame;           ///< the program's function behind it; empty: no stacks there
};

/// A strip of a window: the part that most of each slot went to.
struct Strip {
  std::string step;
  std::vector<Part> slots;
};

struct FileReport {
  std::string file, format;
  Span span;  ///< of the device's work, on the trace's own axis
  std::int64_t rank = -1, world_size = -1, resolution_ns = 1;
  std::uint64_t events = 0, gpu_events = 0;
  std::map<std::string, std::uint64_t> lost;
  std::vector<std::string> problems;
  DeviceReport whole;  ///< all devices together
  std::vector<DeviceReport> devices;
  StepList steps;
  KernelFigures kernels;
  std::vector<GapReport> gaps;  ///< the largest first
  std::vector<WhatIf> what_if;  ///< of the measured steps, where there are any
  StepFigures step_figures;
  std::vector<Strip> strips;             ///< a typical and the worst step, or the whole span
  std::vector<StepKernel> step_kernels;  ///< empty unless asked for
};

struct TraceReport {
  std::vector<FileReport> files;
  CrossRank ranks;  ///< empty but for two files and more
};

struct Analysis {
  FileReport report;
  RankSummary summary;
};

/// What to keep beyond what every report needs.
struct Keep {
  bool step_kernels = false;
};

/// rank: stands in where the trace does not say its own. Pure.
[[nodiscard]] Analysis Analyze(Timeline timeline, std::int64_t rank, const Keep& keep = {});

}  // namespace gpuwhy::trace
