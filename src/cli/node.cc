#include "cli/node.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "cli/version.h"
#include "collect/host_sources.h"
#include "collect/inventory_source.h"
#include "collect/kernel_log_source.h"
#include "collect/nvml_source.h"
#include "collect/scheduler.h"
#include "os/dynamic_library.h"
#include "os/kernel_log.h"
#include "os/real_host.h"
#include "parse/live/inventory.h"

namespace gpuwhy {
namespace {

// Every source looks at once when the window begins, and once more when it ends.
constexpr Nanos kWindow = std::chrono::milliseconds(50);

}  // namespace

void AddNodeSources(Host host, Interner& names, const NodeOptions& options,
                    std::vector<std::unique_ptr<Source>>& sources) {
  sources.push_back(MakeInventorySource(host, names));
  sources.push_back(MakeKernelLogSource(MakeRealKernelLog(), names));
  NvmlOptions nvml;
  nvml.library = options.nvml;
  nvml.start_deadline = options.start_deadline;
  nvml.loader = MakeRealLibraryLoader();
  sources.push_back(MakeNvmlSource(host, names, std::move(nvml)));
}

Capture LookAtNode(const NodeOptions& options) {
  std::unique_ptr<HostEdge> edge = std::make_unique<HostEdge>("/");
  std::unique_ptr<Interner> names = std::make_unique<Interner>();
  const Host host = edge->Get();
  const Nanos cpu_before = host.clock.ProcessCpu();
  Capture capture;
  RunInfo& run = capture.run;
  run.tool_version = Version();
  run.started = run.focused = host.clock.Now();
  run.started_realtime = host.clock.Pair().realtime;
  run.uid = geteuid();
  run.policy_toml = options.policy_toml;
  capture.host = ReadHostInfo(host);
  std::vector<std::unique_ptr<Source>> sources;
  AddNodeSources(host, *names, options, sources);
  Scheduler scheduler(host.clock, std::move(sources));
  ScheduleOptions schedule;
  schedule.duration = kWindow;
  scheduler.Run(schedule, capture);
  capture.sources = scheduler.Finish(capture);
  capture.names = names->NamesFrom(0);
  run.ended = host.clock.Now();
  run.tool_cpu = host.clock.ProcessCpu() - cpu_before;
  const bool stuck = std::any_of(capture.sources.begin(), capture.sources.end(),
                                 [](const SourceReport& source) { return source.stuck; });
  if (stuck) {
    // A worker that was given up may still come back and use both: they are never freed.
    static_cast<void>(edge.release());
    static_cast<void>(names.release());
  }
  ReadLiveTexts(capture);
  return capture;
}

}  // namespace gpuwhy
