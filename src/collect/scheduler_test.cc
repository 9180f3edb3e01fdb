#include "collect/scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "os/real_clock.h"

namespace gpuwhy {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::Ge;
using testing::SizeIs;

/// What a test sees of a source that the scheduler owns.
struct Script {
  std::atomic<std::int64_t> period_ms{1};
  std::atomic<std::int64_t> next_period_ms{0};  // taken over after the first look, if not 0
  milliseconds deadline{60'000};
  std::atomic<bool> hangs{false};  // a look does not end while it is set
  milliseconds nap{0};
  bool throws = false;
  std::uint32_t number = 0;   // in `running` of each sample
  std::atomic<int> looks{0};  // begun
};

class ScriptedSource final : public Source {
 public:
  explicit ScriptedSource(std::shared_ptr<Script> script) : script_(std::move(script)) {}

  std::string_view Name() const override { return "scripted"; }
  Nanos Period() const override { return milliseconds(script_->period_ms); }
  Nanos Deadline() const override { return script_->deadline; }
  std::vector<Missing> Look(Capture& out) override {
    ++script_->looks;
    if (script_->next_period_ms != 0) script_->period_ms = script_->next_period_ms.load();
    while (script_->hangs) std::this_thread::sleep_for(milliseconds(1));
    if (script_->nap > milliseconds(0)) std::this_thread::sleep_for(script_->nap);
    if (script_->throws) throw std::runtime_error("out of luck");
    CpuSample sample;
    sample.at = clock_.Now();
    sample.running = script_->number;
    out.cpu.push_back(sample);
    return {Missing{Why::kNoPermission, "/proc/1/io"}};
  }

 private:
  std::shared_ptr<Script> script_;
  RealClock clock_;  // its own: a worker that was given up outlives the test
};

class Schedule : public testing::Test {
 protected:
  std::shared_ptr<Script> Add(std::uint32_t number) {
    scripts_.push_back(std::make_shared<Script>());
    scripts_.back()->number = number;
    sources_.push_back(std::make_unique<ScriptedSource>(scripts_.back()));
    return scripts_.back();
  }
  std::unique_ptr<Scheduler> Make() {
    return std::make_unique<Scheduler>(clock_, std::move(sources_));
  }
  static std::size_t SamplesOf(const Capture& capture, std::uint32_t number) {
    std::size_t count = 0;
    for (const CpuSample& sample : capture.cpu) count += sample.running == number ? 1 : 0;
    return count;
  }

  RealClock clock_;
  std::vector<std::unique_ptr<Source>> sources_;
  std::vector<std::shared_ptr<Script>> scripts_;
};

void AwaitLook(const Script& script) {
  while (script.looks == 0) std::this_thread::sleep_for(milliseconds(1));
}

ScheduleOptions For(milliseconds duration) {
  ScheduleOptions options;
  options.duration = duration;
  return options;
}

TEST_F(Schedule, LooksAgainAndAgainAndReports) {
  Add(1);
  const std::unique_ptr<Scheduler> scheduler = Make();
  Capture capture;
  scheduler->Run(For(milliseconds(10)), capture);
  while (scripts_[0]->looks < 3) std::this_thread::sleep_for(milliseconds(1));
  const std::vector<SourceReport> reports = scheduler->Finish(capture);
  ASSERT_THAT(reports, SizeIs(1));
  const SourceReport& report = reports[0];
  EXPECT_EQ(report.name, "scripted");
  EXPECT_THAT(report.asked, Ge(2U));
  EXPECT_EQ(report.answered, report.asked);
  EXPECT_THAT(capture.cpu, SizeIs(report.answered)) << "the last look's too";
  EXPECT_EQ(report.late + report.lost, 0U);
  EXPECT_FALSE(report.stuck);
  EXPECT_GT(report.cpu, Nanos{0});
  EXPECT_THAT(report.missing, ElementsAre(Missing{Why::kNoPermission, "/proc/1/io"})) << "once";
  EXPECT_THAT(capture.clocks, SizeIs(3)) << "start and end of the window, and the last looks";
}

TEST_F(Schedule, AHangingSourceCostsItsOwnDataOnly) {
  Add(1)->hangs = true;
  scripts_[0]->deadline = milliseconds(20);
  Add(2);
  {
    const std::unique_ptr<Scheduler> scheduler = Make();
    Capture capture;
    scheduler->Run(For(milliseconds(5)), capture);
    AwaitLook(*scripts_[0]);
    AwaitLook(*scripts_[1]);
    scheduler->Run(For(milliseconds(50)), capture);
    const std::vector<SourceReport> reports = scheduler->Finish(capture);
    ASSERT_THAT(reports, SizeIs(2));
    EXPECT_TRUE(reports[0].stuck);
    EXPECT_EQ(reports[0].lost, 1U);
    EXPECT_EQ(reports[0].answered, 0U);
    ASSERT_THAT(reports[0].missing, SizeIs(1));
    EXPECT_EQ(reports[0].missing[0].why, Why::kTimedOut);
    EXPECT_FALSE(reports[1].stuck);
    EXPECT_EQ(SamplesOf(capture, 1), 0U);
    EXPECT_THAT(SamplesOf(capture, 2), Ge(2U));
  }
  // The worker outlives the scheduler and lets go of its source when it comes back.
  const std::weak_ptr<Script> left = scripts_[0];
  EXPECT_EQ(left.use_count(), 2);
  scripts_[0]->hangs = false;
  scripts_.clear();
  while (!left.expired()) std::this_thread::sleep_for(milliseconds(1));
}

TEST_F(Schedule, AStuckWorkerThatComesBackDuringTheWindowStaysOut) {
  const std::shared_ptr<Script> script = Add(1);
  script->hangs = true;
  script->deadline = milliseconds(1);
  Add(2);
  const std::unique_ptr<Scheduler> scheduler = Make();
  Capture capture;
  scheduler->Run(For(milliseconds(5)), capture);
  AwaitLook(*script);
  scheduler->Run(For(milliseconds(30)), capture);
  script->hangs = false;
  scheduler->Run(For(milliseconds(20)), capture);
  const std::vector<SourceReport> reports = scheduler->Finish(capture);
  EXPECT_TRUE(reports[0].stuck);
  EXPECT_EQ(reports[0].asked, 1U);
  EXPECT_EQ(SamplesOf(capture, 1), 0U);
  EXPECT_EQ(script->looks, 1);
}

TEST_F(Schedule, LateResultsAreCountedAndDropped) {
  const std::shared_ptr<Script> script = Add(1);
  script->nap = milliseconds(25);
  script->deadline = milliseconds(20);
  const std::unique_ptr<Scheduler> scheduler = Make();
  Capture capture;
  for (int i = 0; i < 20 && script->looks < 2; ++i) scheduler->Run(For(milliseconds(10)), capture);
  const std::vector<SourceReport> reports = scheduler->Finish(capture);
  EXPECT_THAT(reports[0].late, Ge(1U));
  EXPECT_EQ(reports[0].answered, 0U);
  EXPECT_EQ(reports[0].asked, reports[0].late + reports[0].lost);
  EXPECT_THAT(capture.cpu, SizeIs(0));
  ASSERT_THAT(reports[0].missing, SizeIs(1));
  EXPECT_EQ(reports[0].missing[0].why, Why::kTimedOut);
}

TEST_F(Schedule, PeriodZeroIsOneLookAtTheStartAndOneAtTheEnd) {
  Add(1)->period_ms = 0;
  const std::unique_ptr<Scheduler> scheduler = Make();
  Capture capture;
  scheduler->Run(For(milliseconds(20)), capture);
  AwaitLook(*scripts_[0]);
  while (capture.cpu.empty()) scheduler->Run(For(milliseconds(5)), capture);
  const std::vector<SourceReport> reports = scheduler->Finish(capture);
  EXPECT_EQ(reports[0].asked, 2U);
  EXPECT_EQ(reports[0].period, Nanos{0});
  EXPECT_THAT(capture.cpu, SizeIs(2));
}

TEST_F(Schedule, ASourceMaySlowDown) {
  const std::shared_ptr<Script> script = Add(1);
  script->next_period_ms = 60'000;
  const std::unique_ptr<Scheduler> scheduler = Make();
  Capture capture;
  scheduler->Run(For(milliseconds(50)), capture);
  AwaitLook(*script);
  while (capture.cpu.empty()) scheduler->Run(For(milliseconds(5)), capture);
  const std::vector<SourceReport> reports = scheduler->Finish(capture);
  EXPECT_EQ(reports[0].asked, 2U) << "the first look and the last; sleeping ends at once";
}

TEST_F(Schedule, TwoRunsAppendAndTheWorkersGoOn) {
  Add(1);
  const std::unique_ptr<Scheduler> scheduler = Make();
  Capture capture;
  std::size_t given = 0;
  ScheduleOptions options = For(milliseconds(30));
  options.on_part = [&](const Capture& part) { given += part.cpu.size(); };
  scheduler->Run(options, capture);
  EXPECT_EQ(capture.cpu.size(), given) << "all that arrived went to the recording too";
  scheduler->Run(options, capture);
  EXPECT_EQ(capture.cpu.size(), given);
  EXPECT_THAT(capture.clocks, SizeIs(4));
  const std::vector<SourceReport> reports = scheduler->Finish(capture);
  EXPECT_THAT(capture.cpu, SizeIs(reports[0].answered));
  for (std::size_t i = 1; i < capture.cpu.size(); ++i) {
    EXPECT_LE(capture.cpu[i - 1].at, capture.cpu[i].at);
  }
}

TEST_F(Schedule, TheStopFlagEndsARun) {
  Add(1);
  const std::unique_ptr<Scheduler> scheduler = Make();
  Capture capture;
  std::atomic<bool> stop{false};
  ScheduleOptions options = For(std::chrono::hours(1));
  options.stop = &stop;
  std::thread signal([&] {
    AwaitLook(*scripts_[0]);
    stop = true;
  });
  scheduler->Run(options, capture);
  signal.join();
  EXPECT_THAT(scheduler->Finish(capture)[0].answered, Ge(1U));
}

TEST_F(Schedule, ASourceThatThrowsIsReportedNotFatal) {
  Add(1)->throws = true;
  Add(2);
  const std::unique_ptr<Scheduler> scheduler = Make();
  Capture capture;
  scheduler->Run(For(milliseconds(20)), capture);
  const std::vector<SourceReport> reports = scheduler->Finish(capture);
  EXPECT_EQ(SamplesOf(capture, 1), 0U);
  EXPECT_THAT(SamplesOf(capture, 2), Ge(1U));
  EXPECT_THAT(reports[0].missing, ElementsAre(Missing{Why::kFailed, "out of luck"}));
}

TEST_F(Schedule, ThatNeverRanFinishesAtOnce) {
  Add(1);
  const std::unique_ptr<Scheduler> scheduler = Make();
  Capture capture;
  const std::vector<SourceReport> reports = scheduler->Finish(capture);
  EXPECT_EQ(reports[0].asked, 0U);
  EXPECT_FALSE(reports[0].stuck);
  EXPECT_EQ(scripts_[0]->looks, 0);
}

TEST_F(Schedule, MayBeDroppedWithoutFinish) {
  Add(1);
  Capture capture;
  Make()->Run(For(milliseconds(5)), capture);
  const std::weak_ptr<Script> left = scripts_[0];
  scripts_.clear();
  EXPECT_TRUE(left.expired()) << "its worker was joined";
}

}  // namespace
}  // namespace gpuwhy
