#include "cli/live.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/i18n.h"
#include "base/text.h"
#include "capture/interner.h"
#include "capture/recent.h"
#include "cli/node.h"
#include "cli/version.h"
#include "collect/host_sources.h"
#include "collect/job_source.h"
#include "collect/scheduler.h"
#include "collect/surroundings_source.h"
#include "derive/discover.h"
#include "derive/window.h"
#include "os/real_host.h"
#include "os/rights.h"
#include "parse/live/inventory.h"

namespace gpuwhy {
namespace {

// Looking at every candidate: on a calm host long enough for 60 looks at each, and a third of the
// time at most. Where a busy host gave too few looks to choose by, up to half of it.
constexpr Nanos kDiscovery = std::chrono::seconds(3);
constexpr Nanos kMoreDiscovery = std::chrono::milliseconds(500);
constexpr Nanos kForgetEvery = std::chrono::seconds(30);

std::uint64_t PeakRssKib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss);
}

class LiveRun {
 public:
  explicit LiveRun(const LiveOptions& options)
      : options_(options),
        edge_(std::make_unique<HostEdge>("/")),
        names_(std::make_unique<Interner>()),
        focus_(std::make_shared<JobFocus>()) {}

  Capture Watch() {
    Begin();
    Scheduler scheduler(edge_->Get().clock, Sources());
    Nanos left = options_.duration;
    if (options_.pid == 0) {
      left -= Discover(scheduler);
    }
    Announce();
    Run(scheduler, left);
    End(scheduler);
    ReadLiveTexts(capture_);
    return std::move(capture_);
  }

 private:
  // Who asks, with which rights, when.
  void Begin() {
    const Host host = edge_->Get();
    cpu_before_ = host.clock.ProcessCpu();
    const Rights rights = ReadRights(host.files);
    RunInfo& run = capture_.run;
    run.tool_version = Version();
    run.job_pid = run.focus_pid = options_.pid;
    run.started = run.focused = run.ended = host.clock.Now();
    run.started_realtime = host.clock.Pair().realtime;
    run.uid = geteuid();
    run.ptrace = rights.ptrace.ValueOr(false);
    run.ptrace_scope = rights.ptrace_scope;
    run.policy_toml = options_.policy_toml;
    capture_.host = ReadHostInfo(host);
    if (options_.recording != nullptr) options_.recording->Begin(run, capture_.host);
  }

  std::vector<std::unique_ptr<Source>> Sources() {
    const Host host = edge_->Get();
    std::vector<std::unique_ptr<Source>> sources = MakeHostSources(host, *names_);
    JobSourceOptions job;
    job.pid = options_.pid;
    sources.push_back(MakeJobSource(host, *names_, job, focus_));
    sources.push_back(MakeSurroundingsSource(host, *names_, options_.pid, focus_));
    NodeOptions node;
    node.nvml = options_.nvml;
    AddNodeSources(host, *names_, node, sources);
    return sources;
  }

  void Run(Scheduler& scheduler, Nanos duration) {
    if (IsStopped()) return;
    ScheduleOptions schedule;
    schedule.duration = duration;
    schedule.stop = options_.stop;
    schedule.on_part = [this](const Capture& part) {
      if (options_.recording != nullptr) Record(part);
      Forget(edge_->Get().clock.Now());
    };
    scheduler.Run(schedule, capture_);
    TakeNames();
    capture_.run.ended = edge_->Get().clock.Now();
  }

  void Record(const Capture& part) {
    options_.recording->Add(part, *names_);
    // What is seen from now on would be lost: end, and say why.
    if (options_.recording->Failed() && options_.stop != nullptr) *options_.stop = true;
  }

  // A run of hours needs no more memory than one of minutes.
  void Forget(MonoTime now) {
    if (now - forgotten_ < kForgetEvery) return;
    forgotten_ = now;
    KeepSince(capture_, now + -kMostDiagnosed);
  }

  /// Returns how long it took.
  Nanos Discover(Scheduler& scheduler) {
    Nanos spent = std::min(kDiscovery, options_.duration / 3);
    Progress(_("looking for the job"));
    Run(scheduler, spent);
    std::vector<JobFacts> jobs = DiscoverJobs(capture_);
    if (!SeenEnough(capture_, jobs)) Progress(_("still looking: this host is busy"));
    while (!IsStopped() && !SeenEnough(capture_, jobs) &&
           spent + kMoreDiscovery <= options_.duration / 2) {
      Run(scheduler, kMoreDiscovery);
      spent += kMoreDiscovery;
      jobs = DiscoverJobs(capture_);
    }
    capture_.run.focused = edge_->Get().clock.Now();
    capture_.run.focus_pid = ChooseJob(jobs);
    focus_->pid = capture_.run.focus_pid;
    return spent;
  }

  void End(Scheduler& scheduler) {
    Capture last;  // apart, because the recording has to get it too
    capture_.sources = scheduler.Finish(last);
    if (options_.recording != nullptr) Record(last);
    AppendSamples(capture_, std::move(last));
    TakeNames();
    capture_.run.ended = edge_->Get().clock.Now();
    capture_.run.tool_cpu = edge_->Get().clock.ProcessCpu() - cpu_before_;
    capture_.run.peak_rss_kib = PeakRssKib();
    KeepSince(capture_, DiagnosedWindow(capture_).from);
    const bool stuck = std::any_of(capture_.sources.begin(), capture_.sources.end(),
                                   [](const SourceReport& source) { return source.stuck; });
    if (stuck) {
      // A worker that was given up may still come back and use both: they are never freed.
      static_cast<void>(edge_.release());
      static_cast<void>(names_.release());
    }
  }

  void TakeNames() {
    capture_.details = names_->DetailsFrom(0);
    capture_.names = names_->NamesFrom(0);
  }

  [[nodiscard]] bool IsStopped() const { return options_.stop != nullptr && *options_.stop; }

  void Progress(const std::string& text) const {
    if (options_.progress) options_.progress(text);
  }

  void Announce() const {
    const std::string seconds = Format("{:.3g} s", Seconds(options_.duration));
    const std::int32_t pid = capture_.run.focus_pid;
    if (pid == 0) {
      Progress(Format(_("no single job stands out: watching this host for {}"), seconds));
      return;
    }
    std::string command;
    for (const ProcessSeen& process : capture_.processes) {
      if (process.pid == pid) command = Printable(capture_.Name(process.command));
    }
    // With --pid no process was looked at yet.
    const std::string job = command.empty() ? std::to_string(pid) : Format("{} ({})", pid, command);
    Progress(Format(_("watching job {} for {}"), job, seconds));
  }

  const LiveOptions& options_;
  std::unique_ptr<HostEdge> edge_;
  std::unique_ptr<Interner> names_;
  std::shared_ptr<JobFocus> focus_;
  Capture capture_;
  Nanos cpu_before_{0};
  MonoTime forgotten_;
};

}  // namespace

Capture WatchHost(const LiveOptions& options) { return LiveRun(options).Watch(); }

}  // namespace gpuwhy
