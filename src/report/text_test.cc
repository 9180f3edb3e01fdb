// Golden reports: tests/golden/report/*.txt. GPUWHY_UPDATE_GOLDEN=1 writes them anew; read the
// diff.
#include "report/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/text.h"
#include "report/lines.h"
#include "report/test_diagnosis.h"

namespace gpuwhy {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

void ExpectGolden(const std::string& name, const std::string& text) {
  const std::string path = std::string(GPUWHY_SOURCE_DIR) + "/tests/golden/report/" + name + ".txt";
  if (std::getenv("GPUWHY_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << text;
  }
  std::ostringstream golden;
  golden << std::ifstream(path).rdbuf();
  EXPECT_EQ(text, golden.str()) << path << " (GPUWHY_UPDATE_GOLDEN=1 writes it anew)";
}

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) lines.emplace_back(NextToken(text, '\n'));
  return lines;
}

TextOptions Verbose() {
  TextOptions options;
  options.verbose = true;
  return options;
}

TEST(TextReport, IsAsItWasApproved) {
  ExpectGolden("starved_job", RenderText(StarvedJob(), {}));
  ExpectGolden("starved_job_verbose", RenderText(StarvedJob(), Verbose()));
  ExpectGolden("undecided_jobs", RenderText(UndecidedJobs(), {}));
  ExpectGolden("nothing_measured", RenderText(NothingMeasured(), Verbose()));
  ExpectGolden("healthy_job", RenderText(HealthyJob(), {}));
  ExpectGolden("lost_gpu", RenderText(LostGpu(), {}));
  ExpectGolden("hostile_names", RenderText(HostileNames(), Verbose()));
  TextOptions narrow;
  narrow.width = 60;
  ExpectGolden("starved_job_narrow", RenderText(StarvedJob(), narrow));
}

TEST(TextReport, AnswersInTheFirstTwoLines) {
  const std::vector<std::string> lines = Lines(RenderText(StarvedJob(), {}));
  EXPECT_THAT(lines[0], HasSubstr("opening files on /data"));
  EXPECT_THAT(lines[0], HasSubstr("would shorten the step by 41 % (35-47 %)"));
  EXPECT_THAT(lines[1], StartsWith("Do this: Pack the small files"));
}

TEST(TextReport, NamesTheJobFirstUnlessItWasGiven) {
  Diagnosis diagnosis = StarvedJob();
  EXPECT_THAT(Lines(RenderText(diagnosis, {}))[0], StartsWith("python3 (4242): "));
  diagnosis.jobs[0].gpu = GpuSign::kNone;
  const std::vector<std::string> lines = Lines(RenderText(diagnosis, {}));
  EXPECT_THAT(lines[0], HasSubstr("python3 (4242), shows no sign of GPU use."));
  EXPECT_THAT(lines[1], HasSubstr("opening files on /data"));
  diagnosis.jobs[0].given = true;
  EXPECT_THAT(Lines(RenderText(diagnosis, {}))[0], Not(HasSubstr("4242")));
}

TEST(TextReport, AloneTheAnswerKeepsItsAlerts) {
  TextOptions quiet;
  quiet.answer_only = true;
  const std::string text = RenderText(LostGpu(), quiet);
  EXPECT_THAT(text, HasSubstr("ALERT"));
  EXPECT_EQ(text, RenderText(LostGpu(), {}).substr(0, text.size()));
}

TEST(TextReport, NamesTheGpuInTheFirstLineAndClaimsNoShareOfOneMoment) {
  Diagnosis diagnosis = LostGpu();
  diagnosis.source.kind = "captures";
  Finding& verdict = diagnosis.findings.at(0);
  verdict.subject = {SubjectKind::kGpu, "0000:4a:00.0"};
  verdict.id = "gpu.compute-bound";
  verdict.title = "It was busy";
  verdict.at_one_moment = true;
  verdict.cost.reset();
  verdict.bound.reset();
  diagnosis.verdict = 0;
  const std::string text = RenderText(diagnosis, {});
  EXPECT_THAT(text, StartsWith("GPU 0000:4a:00.0: It was busy\n"));
  EXPECT_THAT(text, Not(HasSubstr("watched from")));
  EXPECT_THAT(text, Not(HasSubstr("0 s")));
}

TEST(TextReport, SaysHowManyStepsItsFiguresAreOf) {
  Diagnosis diagnosis = StarvedJob();
  StepFacts step;
  step.count = 9;
  step.left_out = 1;
  step.span = 91;
  step.median_s = 0.5;
  step.p95_s = 0.75;
  step.source = "run.log";
  diagnosis.step = step;
  EXPECT_THAT(RenderText(diagnosis, {}),
              HasSubstr("10 printed of 91 steps, the first left out (start-up): median 500 ms, "
                        "95 % within 750 ms (run.log)"));
}

TEST(TextReport, WithoutAVerdictSaysWhatToDoNext) {
  const std::vector<std::string> lines = Lines(RenderText(UndecidedJobs(), {}));
  EXPECT_EQ(lines[0], "Two jobs run here and none of them stands out");
  EXPECT_THAT(lines[1], HasSubstr("--pid"));
}

TEST(TextReport, SaysTheUnknownsThatHideMostAndCountsTheRest) {
  const std::string text = RenderText(UndecidedJobs(), {});
  EXPECT_THAT(text, HasSubstr("which process is the job"));
  EXPECT_THAT(text, HasSubstr("input.metadata-storm and 2 more"));
  EXPECT_THAT(text, HasSubstr("4 more, which hide less: --verbose"));
  EXPECT_THAT(text, Not(HasSubstr("four")));
  const std::string all = RenderText(UndecidedJobs(), Verbose());
  EXPECT_THAT(all, HasSubstr("four"));
  EXPECT_THAT(all, HasSubstr("job.no-demand"));
}

TEST(TextReport, AStoppedProcessIsInTheFirstLines) {
  const Unknown stopped{"Process 7 (python) is stopped", "state T", "kill -CONT 7", {}, true};
  Diagnosis diagnosis = StarvedJob();
  diagnosis.unknown.insert(diagnosis.unknown.begin(), stopped);
  std::vector<std::string> lines = Lines(RenderText(diagnosis, {}));
  EXPECT_EQ(lines[2], "ALERT: Process 7 (python) is stopped: state T");
  EXPECT_EQ(lines[3], "  kill -CONT 7");
  diagnosis.verdict.reset();
  lines = Lines(RenderText(diagnosis, {}));
  EXPECT_EQ(lines[1], "Do this: kill -CONT 7");
}

TEST(TextReport, TakesTheLackOfAFindingForNoProofOfHealth) {
  Diagnosis diagnosis = HealthyJob();
  diagnosis.verdict.reset();
  EXPECT_THAT(RenderText(diagnosis, {}), HasSubstr("nothing to mend on this host"));
  diagnosis.findings.clear();
  diagnosis.unknown.clear();
  const std::string text = RenderText(diagnosis, {});
  EXPECT_THAT(text, Not(HasSubstr("nothing to mend")));
  EXPECT_THAT(text, HasSubstr("top -H -p 4242"));
}

TEST(TextReport, WithoutAJobSaysHowToFindIt) {
  Diagnosis diagnosis;
  diagnosis.measured = true;
  EXPECT_THAT(Lines(RenderText(diagnosis, {}))[1], HasSubstr("ps -eo pid"));
}

TEST(TextReport, WrapsParagraphsButNeverACommand) {
  Diagnosis diagnosis = StarvedJob();
  diagnosis.findings[0].verify = std::string(300, 'x') + " | sort";
  TextOptions options;
  options.width = 60;
  const std::string text = RenderText(diagnosis, options);
  EXPECT_THAT(text, HasSubstr("\n  " + diagnosis.findings[0].verify + "\n"));
  const std::vector<std::string> lines = Lines(text);
  // The first two lines are for `head -2`; the tree and commands stay whole.
  for (std::size_t i = 2; i < lines.size(); ++i) {
    if (lines[i].find("xxx") != std::string::npos || lines[i].find("<-") != std::string::npos)
      continue;
    EXPECT_LE(Columns(lines[i]), 60U) << lines[i];
  }
}

TEST(TextReport, AWidthOfNothingIsNoEndlessLoop) {
  TextOptions options;
  options.width = -1;
  EXPECT_THAT(RenderText(StarvedJob(), options), HasSubstr("Check it by hand:"));
}

TEST(TextReport, HasColoursOnlyWhenAsked) {
  TextOptions options = Verbose();
  EXPECT_THAT(RenderText(LostGpu(), options), Not(HasSubstr("\x1b[")));
  options.color = true;
  EXPECT_THAT(RenderText(LostGpu(), options), HasSubstr("\x1b[1;31m"));
}

TEST(TextReport, HostileNamesAreHarmless) {
  for (const std::string& line : Lines(RenderText(HostileNames(), Verbose()))) {
    EXPECT_EQ(Printable(line), line);
  }
}

TEST(TextReport, VerboseTellsItsOwnCost) {
  EXPECT_THAT(RenderText(StarvedJob(), {}), Not(HasSubstr("What watching cost")));
  EXPECT_THAT(RenderText(StarvedJob(), Verbose()), HasSubstr("What watching cost"));
}

TEST(TextReport, ListsInputsThatWereNotUsed) {
  Diagnosis diagnosis = StarvedJob();
  diagnosis.inputs = {{"a.gpuwhy", "recording", true, {}}, {"notes.md", "", false, {}}};
  const std::string text = RenderText(diagnosis, {});
  EXPECT_THAT(text, HasSubstr("- notes.md: not recognised"));
  EXPECT_THAT(text, Not(HasSubstr("a.gpuwhy")));
}

}  // namespace
}  // namespace gpuwhy
