#include "collect/job_source.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/i18n.h"
#include "base/text.h"
#include "collect/procfs/candidates.h"
#include "collect/procfs/job_tree.h"
#include "collect/procfs/job_watch.h"
#include "collect/procfs/pacer.h"

namespace gpuwhy {
namespace {

constexpr Nanos kCountEvery = std::chrono::seconds(1);
constexpr Nanos kSwitchesEvery = std::chrono::seconds(5);  // where each second is too dear
constexpr Nanos kSurveyEvery = std::chrono::seconds(2);
constexpr Nanos kSurpriseAfter = std::chrono::milliseconds(500);
// A first survey is worth a late first look; later ones are cut in slices that don't delay one.
constexpr Nanos kFirstSurvey = std::chrono::milliseconds(500);
constexpr Nanos kSurveySlice = std::chrono::milliseconds(20);
constexpr double kSurveyShare = 0.25;  // of the budget
constexpr Nanos kStartSpread = std::chrono::seconds(30);

constexpr Nanos kFirstScanGap = std::chrono::milliseconds(300);
constexpr Nanos kNextScanGap = std::chrono::seconds(1);
constexpr std::size_t kMostCandidateThreads = 400;

// Looking for the job takes seconds, and every second of it with few looks is lost: measured on a
// busy host with 150 threads of candidates, the budget of watching gave 9 looks in 3 s.
constexpr double kSearchBudget = 3;
// The first look reads all that is known of all candidates; on a busy host it takes long, and what
// it says is said once: it must not be dropped for being late.
constexpr Nanos kDeadline = std::chrono::seconds(2);
constexpr Nanos kFirstDeadline = std::chrono::seconds(10);

constexpr int kSlowFactor = 4;

// The source reads the machine that it was built for, so that no file needs to be asked.
constexpr const char* kMachine =
#if defined(__x86_64__)
    "x86_64";
#elif defined(__aarch64__)
    "aarch64";
#elif defined(__riscv) && __riscv_xlen == 64
    "riscv64";
#else
    "unknown";
#endif

std::int32_t ToolPid(FileTree& files) {
  const Result<std::string> link = files.ReadLink("/proc/self");
  return link ? ParseNumber<std::int32_t>(*link).value_or(0) : 0;
}

class JobSource final : public Source {
 public:
  JobSource(Host host, Interner& interner, const JobSourceOptions& options,
            std::shared_ptr<JobFocus> focus)
      : host_(host),
        options_(options),
        focus_(std::move(focus)),
        tool_(ToolPid(host.files)),
        pacer_(options.period, options.cpu_budget),
        watch_(host, interner, kMachine, tool_) {}

  [[nodiscard]] std::string_view Name() const override { return "job"; }
  [[nodiscard]] Nanos Period() const override {
    if (following_) return pacer_.Period();
    return scanned_once_ ? kFirstScanGap : kNextScanGap;
  }
  [[nodiscard]] double Jitter() const override { return following_ ? 0.5 : 0; }
  [[nodiscard]] Nanos Deadline() const override {
    return following_ && !first_count_ ? kDeadline : kFirstDeadline;
  }
  [[nodiscard]] std::vector<Missing> Look(Capture& out) override;

 private:
  void ChooseTree();
  void Discover();
  void Begin(std::vector<std::int32_t> members);
  void DoChores(Capture& out);
  void Count(MonoTime now, Capture& out);
  void Survey(MonoTime now, Capture& out);
  void ReportNobody();
  void ReportSlowness();

  Host host_;
  JobSourceOptions options_;
  std::shared_ptr<JobFocus> focus_;
  std::int32_t tool_;
  Pacer pacer_;
  JobWatch watch_;

  bool following_ = false;
  std::int32_t followed_ = 0;  // the pid that was named; 0: all candidates
  bool scanned_once_ = false;
  std::vector<ScannedProcess> scan_;

  bool first_count_ = true, first_survey_ = true, surveying_ = false, surprised_ = false;
  MonoTime counted_, switches_counted_, surveyed_;
  Nanos survey_cpu_{0};  // of the pass that is under way or was the last
  Nanos chores_cpu_{0};  // since the last count
  std::optional<Nanos> cpu_at_end_;
};

std::vector<Missing> JobSource::Look(Capture& out) {
  const Nanos begin = host_.clock.ThreadCpu();
  // What the scheduler does between two looks is part of what looking costs.
  const Nanos between = cpu_at_end_ ? begin - *cpu_at_end_ : Nanos{0};
  ChooseTree();
  if (following_) {
    DoChores(out);
    const Nanos sampling = host_.clock.ThreadCpu();
    watch_.Sample(pacer_.MostPerLook(), out);
    cpu_at_end_ = host_.clock.ThreadCpu();
    pacer_.AddLook(*cpu_at_end_ - sampling + between);
    ReportSlowness();
  }
  return watch_.TakeMissing();
}

void JobSource::ChooseTree() {
  const std::int32_t focus = focus_ ? focus_->pid.load() : 0;
  if (focus != 0 && focus != followed_) {
    followed_ = focus;
    Begin({focus});
  } else if (!following_ && options_.pid != 0) {
    followed_ = options_.pid;
    Begin({ClimbToRoot(host_.files, options_.pid, tool_)});
  } else if (!following_) {
    Discover();
  }
}

void JobSource::Discover() {
  std::vector<ScannedProcess> scan = ScanProcesses(host_.files);
  if (!scanned_once_) {
    if (const std::optional<Missing> hidden = WhyNotAll(host_.files, scan)) {
      watch_.Report("hidden", *hidden);
    }
  } else {
    MarkGpuUsers(host_.files, scan_, scan, tool_);
    const Candidates chosen = ChooseCandidates(scan_, scan, tool_, kMostCandidateThreads);
    if (chosen.left_out_processes > 0) {
      watch_.Report("candidates",
                    {Why::kNotSampled,
                     Format(_("{} active processes: more than can be looked at; name the job with "
                              "--pid"),
                            chosen.left_out_processes)});
    }
    if (!chosen.pids.empty()) Begin(chosen.pids);
  }
  scanned_once_ = true;
  scan_ = following_ ? std::vector<ScannedProcess>{} : std::move(scan);
}

void JobSource::Begin(std::vector<std::int32_t> members) {
  watch_.Follow(std::move(members));
  pacer_ = Pacer(options_.period, options_.cpu_budget * (followed_ == 0 ? kSearchBudget : 1));
  following_ = true;
  first_count_ = true;
}

void JobSource::DoChores(Capture& out) {
  const Nanos begin = host_.clock.ThreadCpu();
  const MonoTime now = host_.clock.Now();
  const bool starting = first_count_;
  const bool count = first_count_ || now - counted_ >= kCountEvery;
  const Nanos since = now - counted_;
  if (count) Count(now, out);
  Survey(now, out);
  const Nanos used = host_.clock.ThreadCpu() - begin;
  if (starting) {
    pacer_.AddChores(used, kStartSpread);
    return;
  }
  chores_cpu_ += used;
  if (count) pacer_.AddChores(std::exchange(chores_cpu_, Nanos{0}), since);
}

void JobSource::Count(MonoTime now, Capture& out) {
  // While the job is looked for, who wakes is what tells a starved process from an idle one.
  const bool tight = followed_ != 0 && pacer_.ChoreShare() > pacer_.Budget() / 2;
  const Nanos pause = tight ? kSwitchesEvery : kCountEvery;
  const bool switches = first_count_ || now - switches_counted_ >= pause;
  watch_.Count(switches, out);
  if (watch_.Processes() == 0 && followed_ != 0) ReportNobody();
  first_count_ = false;
  counted_ = now;
  if (switches) switches_counted_ = now;
}

void JobSource::ReportNobody() {
  const Result<PidStat> stat = ReadPidStat(host_.files, followed_);
  const bool gone = stat ? stat->state == 'Z' || stat->state == 'X'
                         : ToMissing(stat.error()).why == Why::kNotPresent;
  if (gone) {
    watch_.Report(
        "ended", {Why::kNotPresent, Format(_("process {}: it has ended or never was"), followed_)});
  } else if (!stat) {
    watch_.Report("unseen", ToMissing(stat.error()));
  }
}

void JobSource::Survey(MonoTime now, Capture& out) {
  // Descriptors cost about ten times what a thread's counters cost: their pause grows with them.
  const double seconds =
      options_.cpu_budget > 0 ? Seconds(survey_cpu_) / (options_.cpu_budget * kSurveyShare) : 0;
  const Nanos affordable =
      std::chrono::duration_cast<Nanos>(std::chrono::duration<double>(seconds));
  surprised_ = watch_.TakeSurprise() || surprised_;
  const Nanos wanted = surprised_ ? kSurpriseAfter : kSurveyEvery;
  if (!surveying_ && (first_survey_ || now - surveyed_ >= std::max(affordable, wanted))) {
    watch_.PlanSurvey();
    surveying_ = true;
    surprised_ = false;
    survey_cpu_ = Nanos{0};
  }
  const Nanos begin = host_.clock.ThreadCpu();
  const bool done = watch_.Survey(first_survey_ ? kFirstSurvey : kSurveySlice, out);
  survey_cpu_ += host_.clock.ThreadCpu() - begin;
  first_survey_ = false;
  if (surveying_ && done) {
    surveying_ = false;
    surveyed_ = now;
  }
}

void JobSource::ReportSlowness() {
  const Nanos period = pacer_.Period();
  if (period <= pacer_.Aim() * kSlowFactor) return;
  const auto ms = [](Nanos d) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(d).count();
  };
  watch_.Report("slow", {Why::kNotSampled,
                         Format(_("threads every {} ms: to stay within the budget they are looked "
                                  "at every {} ms"),
                                ms(pacer_.Aim()), ms(period))});
}

}  // namespace

std::unique_ptr<Source> MakeJobSource(Host host, Interner& interner,
                                      const JobSourceOptions& options,
                                      std::shared_ptr<JobFocus> focus) {
  return std::make_unique<JobSource>(host, interner, options, std::move(focus));
}

}  // namespace gpuwhy
