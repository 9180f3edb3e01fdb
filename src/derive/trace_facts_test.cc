#include "derive/trace_facts.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

using trace::Part;

void AddStep(trace::FileReport& file, std::int64_t input_wait, trace::StepUse use) {
  const auto index = static_cast<std::int64_t>(file.steps.steps.size());
  trace::Step step;
  step.anatomy.window = {index * 100, index * 100 + 100};
  step.anatomy.parts[static_cast<std::size_t>(Part::kInputWait)] = input_wait;
  step.anatomy.parts[static_cast<std::size_t>(Part::kCompute)] = 100 - input_wait;
  step.use = use;
  file.steps.steps.push_back(step);
  if (use == trace::StepUse::kMeasured) file.step_figures.rows.emplace_back();
}

trace::TraceReport Report(std::initializer_list<std::int64_t> input_waits) {
  trace::FileReport file;
  file.file = "a.json";
  file.gpu_events = 10;
  file.span = {0, 1000};
  file.whole.figures.span_ns = 1000;
  file.steps.source = "marker";
  file.steps.confidence = "high";
  for (const std::int64_t wait : input_waits) AddStep(file, wait, trace::StepUse::kMeasured);
  trace::TraceReport report;
  report.files.push_back(std::move(file));
  return report;
}

const Subject kFile{SubjectKind::kFile, "a.json"};

TEST(TraceFacts, TheLowEndLeavesOutTheStepThatHasMost) {
  const FactSet facts = DeriveTrace(Report({10, 10, 70}));
  const Fact* wait = facts.Find(FactId::kStepInputWait, kFile);
  ASSERT_NE(wait, nullptr);
  EXPECT_DOUBLE_EQ(wait->Number(), 0.30);
  EXPECT_DOUBLE_EQ(wait->interval.low, 0.10);
  EXPECT_EQ(wait->stat.n, 3U);
  EXPECT_NE(wait->provenance.source.find("a.json (3 steps, 10 device events)"), std::string::npos);
  EXPECT_TRUE(facts.traced);
  ASSERT_TRUE(facts.step.has_value());
  EXPECT_EQ(facts.step->count, 3U);
}

TEST(TraceFacts, OneStepIsItsOwnLowEnd) {
  const FactSet facts = DeriveTrace(Report({40}));
  EXPECT_DOUBLE_EQ(facts.Find(FactId::kStepInputWait, kFile)->interval.low, 0.40);
}

TEST(TraceFacts, WarmUpIsLeftOutAndSaid) {
  trace::TraceReport report = Report({});
  AddStep(report.files[0], 90, trace::StepUse::kWarmUp);
  for (int i = 0; i < 3; ++i) AddStep(report.files[0], 0, trace::StepUse::kMeasured);
  const FactSet facts = DeriveTrace(report);
  EXPECT_DOUBLE_EQ(facts.Find(FactId::kStepInputWait, kFile)->Number(), 0);
  EXPECT_DOUBLE_EQ(facts.Find(FactId::kStepFirst, kFile)->Number(), 1.0);
}

TEST(TraceFacts, WithoutAStepThereIsOnlyAReason) {
  const FactSet facts = DeriveTrace(Report({}));
  const Fact* time = facts.Find(FactId::kStepTime, kFile);
  ASSERT_NE(time, nullptr);
  EXPECT_FALSE(time->value.has());
  EXPECT_EQ(facts.Find(FactId::kStepCompute, kFile), nullptr);
  EXPECT_FALSE(facts.nothing_seen);
}

TEST(TraceFacts, AReplayThatDiffersFromTheRecordGivesNoGain) {
  trace::TraceReport report = Report({10, 10});
  report.files[0].what_if = {{trace::Change::kNoInputWait, 100, 50, 0.5, false},
                             {trace::Change::kCopiesOverlapped, 100, 90, 0.1, true}};
  const FactSet facts = DeriveTrace(report);
  EXPECT_FALSE(facts.Find(FactId::kGainInput, kFile)->value.has());
  EXPECT_DOUBLE_EQ(facts.Find(FactId::kGainCopies, kFile)->Number(), 0.1);
}

TEST(TraceFacts, OverlappingSavesWhatTheLinkAllows) {
  trace::TraceReport report = Report({});
  trace::FileReport& file = report.files[0];
  AddStep(file, 0, trace::StepUse::kMeasured);
  file.steps.steps[0].anatomy.parts = {};
  file.steps.steps[0].anatomy.parts[static_cast<std::size_t>(Part::kCompute)] = 30;
  file.steps.steps[0].anatomy.parts[static_cast<std::size_t>(Part::kH2D)] = 70;
  file.whole.figures.union_ns[static_cast<std::size_t>(trace::Work::kH2D)] = 900;
  const FactSet facts = DeriveTrace(report);
  EXPECT_NEAR(facts.Find(FactId::kTraceOverlapBound, kFile)->Number(), 0.10, 1e-9)
      << "the link is busy for 90 % of the time already";
}

TEST(TraceFacts, UnsizedCollectivesDoNotTellWhoWaits) {
  trace::TraceReport report = Report({10, 10});
  report.files[0].step_figures.collectives = 5;
  EXPECT_FALSE(DeriveTrace(report).Find(FactId::kStepPeerWait, kFile)->value.has());
}

TEST(TraceFacts, ARankIsTheSubjectWhereOnlyOneFileIsOfIt) {
  trace::TraceReport report = Report({10});
  report.files.push_back(report.files[0]);
  report.files[0].rank = 0;
  report.files[1].rank = 1;
  EXPECT_EQ(SubjectsOf(report)[1].Text(), "rank:1");
  report.files[1].rank = 0;
  EXPECT_EQ(SubjectsOf(report)[1].Text(), "file:a.json");
}

TEST(TraceFacts, TheLateRankCarriesItsReasonAndTheClocksDoubt) {
  trace::TraceReport report = Report({10});
  report.files.push_back(report.files[0]);
  report.files[0].rank = 0;
  report.files[1].rank = 1;
  report.ranks.span_ns = 1000;
  report.ranks.alignment_residual_ns = 10;
  report.ranks.collectives.resize(8);
  report.ranks.waits.resize(2);
  report.ranks.waits[0] = {0, "a.json", 20, 5, 300, 0, 1.0};
  report.ranks.waits[1] = {1, "a.json", 400, 0, 0, 0, 1.0};
  report.ranks.stragglers = {{0, trace::LateBecause::kHost, 250, 380, 0.6}};
  const FactSet facts = DeriveTrace(report);
  const Subject late{SubjectKind::kRank, "0"};
  const Fact* alone = facts.Find(FactId::kRankLateAlone, late);
  ASSERT_NE(alone, nullptr);
  EXPECT_DOUBLE_EQ(alone->Number(), 0.30);
  EXPECT_DOUBLE_EQ(alone->interval.low, 0.25);
  EXPECT_EQ(std::get<std::string>(*facts.Find(FactId::kRankReason, late)->value), "host");
  EXPECT_EQ(facts.Find(FactId::kRankReason, {SubjectKind::kRank, "1"}), nullptr);
  EXPECT_DOUBLE_EQ(facts.Find(FactId::kStepPeerWait, {SubjectKind::kRank, "1"})->Number(), 0.40);
}

}  // namespace
}  // namespace gpuwhy
