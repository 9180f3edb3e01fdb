#include "diagnose/diagnose.h"

#include <gtest/gtest.h>

#include <set>

#include "diagnose/explain.h"
#include "diagnose/job_lead.h"
#include "diagnose/rule.h"
#include "diagnose/rules/trace/test_trace.h"
#include "diagnose/test_devices.h"
#include "diagnose/test_facts.h"
#include "diagnose/test_handed_in.h"

namespace gpuwhy {
namespace {

std::string VerdictOf(const TestFacts& facts) {
  const Diagnosis diagnosis = Diagnose(facts.Build(), Policy{});
  return diagnosis.verdict ? diagnosis.findings[*diagnosis.verdict].id : "none";
}

std::vector<TestFacts> RunningJobs() {
  return {HealthyJob(),   StorageStarvedJob(), MetadataStarvedJob(), ComputingJob(), ThrottledJob(),
          ContendedJob(), IoLimitedJob(),      OneLoaderJob(),       IdleServer()};
}

std::vector<TestFacts> AllJobs() {
  std::vector<TestFacts> jobs = RunningJobs();
  for (const TestFacts& text : HandedInTexts()) jobs.push_back(text);
  jobs.push_back(MisconfiguredJob());
  jobs.push_back(TroubledTrace().Facts());
  jobs.push_back(WaitingRank().Facts());
  return jobs;
}

TEST(Diagnose, NamesTheFirstScarceResource) {
  EXPECT_EQ(VerdictOf(StorageStarvedJob()), "input.storage-latency");
  EXPECT_EQ(VerdictOf(MetadataStarvedJob()), "input.metadata-storm");
  EXPECT_EQ(VerdictOf(ComputingJob()), "input.cpu-transform");
  EXPECT_EQ(VerdictOf(ThrottledJob()), "cpu.quota-throttled");
  EXPECT_EQ(VerdictOf(ContendedJob()), "cpu.contended");
  EXPECT_EQ(VerdictOf(OneLoaderJob()), "input.too-few-workers");
  EXPECT_EQ(VerdictOf(IdleServer()), "none");
  EXPECT_EQ(VerdictOf(HealthyJob()), "none");
}

TEST(Diagnose, ListsStorageAsAConsequenceOfManyFiles) {
  const Diagnosis diagnosis = Diagnose(MetadataStarvedJob().Build(), Policy{});
  ASSERT_EQ(diagnosis.findings.size(), 2U);
  EXPECT_EQ(diagnosis.findings[1].id, "input.storage-latency");
  EXPECT_EQ(diagnosis.findings[1].explained_by, std::vector<std::string>{"input.metadata-storm"});
}

TEST(Diagnose, SaysTheAnswerInOneSentence) {
  const Diagnosis diagnosis = Diagnose(StorageStarvedJob().Build(), Policy{});
  EXPECT_EQ(diagnosis.summary,
            "Loaders wait for /data (nfs4). Mending this alone would save about 50 % of the time "
            "(from 44 % to 56 %).");
  EXPECT_EQ(Diagnose(ComputingJob().Build(), Policy{}).summary,
            "Loaders are short of CPU time. It is what limits the job "
            "for 60 % of the time.");
}

TEST(Diagnose, WithoutAVerdictSaysWhy) {
  TestFacts healthy = HealthyJob();
  EXPECT_EQ(Diagnose(healthy.Set(FactId::kFillersQueueFull, 0.5).Build(), Policy{}).summary,
            "No cause was found for train.py (100): it is not slow, or for a reason that gpuwhy "
            "does not look for.");
  EXPECT_EQ(
      Diagnose(healthy.Set(FactId::kFillersQueueFull, 0.51).Build(), Policy{}).summary,
      "Nothing slows the loaders of train.py (100): for 51 % of their time they wait until it "
      "takes what is ready. What limits it is its own work or its device.");
  EXPECT_EQ(Diagnose(IdleServer().Build(), Policy{}).summary,
            "Nothing slows train.py (100): it waits for requests and has nothing to do.");
  TestFacts blind = StorageStarvedJob();
  blind.Miss(FactId::kConsumerWait, {Why::kNoPermission, "/proc/100/syscall"});
  const std::string summary = Diagnose(blind.Build(), Policy{}).summary;
  EXPECT_EQ(summary.find("Can't tell what slows train.py (100)"), 0U) << summary;
  EXPECT_NE(summary.find("/proc/100/syscall"), std::string::npos) << summary;
}

TEST(Diagnose, BlamesNoJobThatWasNotWatched) {
  FactSet facts;
  for (const std::int32_t pid : {7, 8}) {
    JobFacts job;
    job.subject = {SubjectKind::kJob, std::to_string(pid)};
    job.command = "train.py";
    job.root_pid = pid;
    job.processes = 2;
    facts.jobs.push_back(job);
  }
  EXPECT_EQ(Diagnose(facts, Policy{}).summary, "2 jobs run here and none of them stands out.");
  facts.jobs.pop_back();
  EXPECT_EQ(Diagnose(facts, Policy{}).summary,
            "No job stands out: train.py (7, no sign of GPU use) is the only candidate, and hardly "
            "one. If it is the job, name it with --pid.");
  facts.job_ended = true;
  EXPECT_EQ(Diagnose(facts, Policy{}).summary,
            "train.py (7, no sign of GPU use) ended before it could be watched: name another with "
            "--pid.");
}

TEST(Diagnose, AJobWithoutASignOfADeviceIsDoubted) {
  TestFacts facts = ComputingJob();
  EXPECT_EQ(Diagnose(facts.Build(), Policy{}).findings.front().confidence, Confidence::kHigh);
  facts.jobs.front().gpu = GpuSign::kNone;
  const Finding found = Diagnose(facts.Build(), Policy{}).findings.front();
  EXPECT_EQ(found.id, "input.cpu-transform");
  EXPECT_EQ(found.confidence, Confidence::kMedium);
  for (const std::string& text : {found.meaning, found.fix, found.decision}) {
    EXPECT_EQ(text.find("decode"), std::string::npos) << text;
  }
  facts.jobs.front().given = true;
  const Finding given = Diagnose(facts.Build(), Policy{}).findings.front();
  EXPECT_EQ(given.confidence, Confidence::kHigh);
  EXPECT_NE(given.meaning.find("decode"), std::string::npos) << "its user says what it is";
}

TEST(Diagnose, TooFewLooksAreSaidAsSuch) {
  FactSet facts = HealthyJob().Build();
  facts.few_looks = true;
  const std::string summary = Diagnose(facts, Policy{}).summary;
  EXPECT_EQ(summary.find("train.py (100) was watched too briefly"), 0U) << summary;
}

TEST(JobLead, NamesTheJobThatWasFoundAndNotTheOneThatWasGiven) {
  JobFacts job;
  job.command = "python3";
  job.root_pid = 12;
  job.working_folder = "/home/ana";
  job.gpu = GpuSign::kFramework;
  Finding finding;
  finding.subject = {SubjectKind::kJob, "12"};
  EXPECT_EQ(JobLead(job, finding), "python3 (12): ");
  EXPECT_EQ(JobDoubt(job, finding), "");
  job.gpu = GpuSign::kNone;
  EXPECT_EQ(JobLead(job, finding), "");
  EXPECT_EQ(
      JobDoubt(job, finding),
      "The likeliest job on this host, python3 (12, in /home/ana), shows no sign of GPU use.");
  finding.subject = {SubjectKind::kGpu, "GPU-1"};
  EXPECT_EQ(JobDoubt(job, finding), "") << "a sick device is no matter of this job";
  finding.subject = {SubjectKind::kJob, "12"};
  job.given = true;
  EXPECT_EQ(JobDoubt(job, finding) + JobLead(job, finding), "");
}

TEST(Diagnose, WithoutAJobSaysSo) {
  TestFacts facts = HealthyJob();
  facts.jobs.clear();
  EXPECT_EQ(Diagnose(facts.Build(), Policy{}).summary.find("Can't tell which process is the job"),
            0U);
  FactSet unseen = facts.Build();
  unseen.nothing_seen = true;
  unseen.asked_pid = 42;
  EXPECT_EQ(Diagnose(unseen, Policy{}).summary.find("Process 42 was not seen"), 0U);
  EXPECT_FALSE(Diagnose(unseen, Policy{}).measured);
  const Diagnosis nothing = Diagnose(FactSet{}, Policy{});
  EXPECT_FALSE(nothing.measured);
  EXPECT_FALSE(nothing.verdict.has_value());
}

TEST(Diagnose, ReasonsWhyNothingIsKnownAreNoMeasurement) {
  FactSet facts;
  Fact fact;
  fact.value = Missing{Why::kFailed, "no thread could be started"};
  facts.Add(fact);
  EXPECT_FALSE(Diagnose(facts, Policy{}).measured);
}

TEST(Diagnose, OneLackThatHidesSeveralFindingsIsSaidOnce) {
  TestFacts facts = StorageStarvedJob();
  facts.Miss(FactId::kConsumerWait, {Why::kNoPermission, "/proc/100/syscall"});
  const std::string what = Info(FactId::kConsumerWait).meaning;
  Diagnosis diagnosis = Diagnose(facts.Build(), Policy{});
  ASSERT_EQ(diagnosis.unknown.size(), 1U);
  EXPECT_EQ(diagnosis.unknown[0].what, what);
  EXPECT_EQ(diagnosis.unknown[0].hides,
            (std::vector<std::string>{"cpu.affinity-narrow", "cpu.contended", "input.cpu-transform",
                                      "input.metadata-storm", "input.storage-latency",
                                      "input.too-few-workers"}));
  // A collector that says the same thing adds only what it hides.
  facts.blinds.push_back({what, diagnosis.unknown[0].why, diagnosis.unknown[0].how, {"job.stuck"}});
  facts.blinds.push_back({"driver", "not loaded", "load it", {"gpu.idle"}});
  diagnosis = Diagnose(facts.Build(), Policy{});
  ASSERT_EQ(diagnosis.unknown.size(), 2U);
  EXPECT_EQ(diagnosis.unknown[0].hides.size(), 7U);
  EXPECT_EQ(diagnosis.unknown[1].what, "driver");
}

TEST(Diagnose, ALackHidesNothingThatNoRuleCouldFind) {
  ASSERT_NE(FindFinding("input.write-latency"), nullptr);
  ASSERT_FALSE(HasRule("input.write-latency"));
  FactSet facts;
  facts.blinds = {{"calls", "w", "h", {"input.write-latency", "job.stuck"}},
                  {"writes", "w", "h", {"input.write-latency"}}};
  const Diagnosis diagnosis = Diagnose(facts, Policy{});
  ASSERT_EQ(diagnosis.unknown.size(), 2U);
  EXPECT_EQ(diagnosis.unknown[0].hides, std::vector<std::string>{"job.stuck"});
  EXPECT_TRUE(diagnosis.unknown[1].hides.empty());
}

TEST(Diagnose, CarriesTheJobItsChainAndItsSteps) {
  const Diagnosis diagnosis = Diagnose(StorageStarvedJob().Build(), Policy{});
  ASSERT_EQ(diagnosis.jobs.size(), 1U);
  EXPECT_EQ(diagnosis.jobs[0].root_pid, 100);
  EXPECT_EQ(diagnosis.wait_chain.size(), 1U);
  EXPECT_FALSE(diagnosis.step.has_value());
  EXPECT_TRUE(diagnosis.measured);
}

TEST(Diagnose, FollowsThePolicy) {
  Policy policy;
  policy.ranking.min_cost = 0.9;
  policy.ranking.min_possible_cost = 0.9;
  EXPECT_FALSE(Diagnose(StorageStarvedJob().Build(), policy).verdict.has_value());
}

// What every rule must keep, on every job there is.

TEST(Diagnose, OfPastedOutputsTheFirstStateIsSaidBeforeTheLackOfACause) {
  TestFacts facts;
  facts.SetText(FactId::kSaidXidApplication, "NVRM: Xid (PCI:0000:5e:00): 31, pid=9", Subject{});
  FactSet pasted = facts.Build();
  pasted.pasted = true;
  const Diagnosis diagnosis = Diagnose(pasted, Policy{});
  EXPECT_FALSE(diagnosis.verdict.has_value());
  EXPECT_EQ(diagnosis.summary.find("A program did something illegal on the GPU (Xid 31)."), 0U)
      << diagnosis.summary;
}

TEST(Diagnose, WithoutAJobHardwareThatLosesDataComesBeforeALimit) {
  const Subject gpu{SubjectKind::kGpu, "GPU-1"};
  TestFacts facts;
  facts.Set(FactId::kGpuUtilization, 99, std::nullopt, gpu);
  facts.Set(FactId::kGpuPower, 250, std::nullopt, gpu);
  facts.Set(FactId::kGpuPowerLimit, 300, std::nullopt, gpu);
  facts.Set(FactId::kGpuMemoryUsed, 9000, std::nullopt, gpu);
  EXPECT_EQ(VerdictOf(facts), "gpu.compute-bound");
  facts.Set(FactId::kGpuEccVolatileUncorrected, 3, std::nullopt, gpu);
  EXPECT_EQ(VerdictOf(facts), "ecc.uncorrectable");
}

TEST(Diagnose, BesideAFaultTheJobsHealthIsNoQuestion) {
  TestFacts facts;
  facts.SetText(FactId::kSaidFallenOffBus, "GPU has fallen off the bus", Subject{});
  facts.blinds = {{"the job's own progress", "no log", "add it", {"job.healthy"}, false}};
  EXPECT_TRUE(Diagnose(facts.Build(), Policy{}).unknown.empty());
}

TEST(AllRules, AreInTheVocabularyOnceEach) {
  std::set<std::string_view> ids;
  for (const Rule& rule : AllRules()) {
    EXPECT_NE(FindFinding(rule.id), nullptr) << rule.id;
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
  }
}

TEST(AllRules, HoldForSomeJobWithTextsEvidenceAndACommand) {
  std::set<std::string> held;
  std::vector<TestFacts> all = AllJobs();
  const std::vector<TestFacts> devices = SickDevices();
  all.insert(all.end(), devices.begin(), devices.end());
  for (const TestFacts& job : all) {
    for (const Rule& rule : AllRules()) {
      for (const Finding& finding : rule.evaluate(job.Build(), Policy{}).findings) {
        held.insert(finding.id);
        EXPECT_EQ(finding.id, rule.id);
        EXPECT_FALSE(finding.evidence.empty()) << rule.id;
        for (const Evidence& evidence : finding.evidence) {
          EXPECT_TRUE(evidence.fact.value.has()) << rule.id << " " << Id(evidence.fact.id);
          EXPECT_FALSE(evidence.how.empty()) << rule.id << " " << Id(evidence.fact.id);
        }
        for (const std::string& text :
             {finding.title, finding.meaning, finding.decision, finding.fix, finding.verify}) {
          EXPECT_FALSE(text.empty()) << rule.id;
          EXPECT_EQ(text.find("{}"), std::string::npos) << rule.id << ": " << text;
        }
        const bool limit = finding.Info().kind == FindingKind::kLimit;
        // What stops a job has no share of the time.
        const bool bounds = finding.Info().effect == Effect::kBounds;
        EXPECT_EQ(finding.bound.has_value() || finding.at_one_moment, bounds) << rule.id;
        EXPECT_FALSE(finding.bound.has_value() && finding.at_one_moment) << rule.id;
        if (limit) {
          EXPECT_FALSE(finding.cost.has_value()) << rule.id << ": a limit recovers nothing";
        }
        if (finding.cost) {
          EXPECT_LE(finding.cost->low, finding.cost->share) << rule.id;
          EXPECT_LE(finding.cost->share, finding.cost->high) << rule.id;
        }
        for (const std::string& cause : finding.causes) {
          EXPECT_TRUE(MayExplain(cause, finding.Info())) << rule.id << " <- " << cause;
        }
      }
    }
  }
  for (const Rule& rule : AllRules()) EXPECT_EQ(held.count(std::string(rule.id)), 1U) << rule.id;
}

TEST(AllRules, SayNothingOfAHealthyJob) {
  for (const Rule& rule : AllRules()) {
    const RuleResult result = rule.evaluate(HealthyJob().Build(), Policy{});
    EXPECT_TRUE(result.findings.empty()) << rule.id;
    EXPECT_TRUE(result.unknowns.empty()) << rule.id;
  }
}

TEST(AllRules, StandAnySingleFactMissing) {
  for (const TestFacts& job : AllJobs()) {
    const FactSet whole = job.Build();
    for (const Fact& fact : whole.facts()) {
      TestFacts lacking = job;
      lacking.Miss(fact.id, {Why::kFailed, "gone"}, fact.subject);
      for (const Rule& rule : AllRules()) {
        for (const Unknown& unknown : rule.evaluate(lacking.Build(), Policy{}).unknowns) {
          EXPECT_EQ(unknown.hides, std::vector<std::string>{std::string(rule.id)});
          EXPECT_FALSE(unknown.what.empty() || unknown.why.empty() || unknown.how.empty());
        }
      }
    }
  }
}

TEST(AllRules, SayNothingWithoutAJob) {
  for (TestFacts job : RunningJobs()) {
    job.jobs.clear();
    for (const Rule& rule : AllRules()) {
      const RuleResult result = rule.evaluate(job.Build(), Policy{});
      EXPECT_TRUE(result.findings.empty() && result.unknowns.empty()) << rule.id;
    }
  }
}

TEST(Diagnose, WithoutAFindingWhatIsUrgentIsTheAnswer) {
  FactSet facts;
  facts.blinds = {{"much", "w", "h", {"job.no-demand", "job.stuck"}},
                  {"Process 7 (vi) is stopped", "state T", "kill -CONT 7", {}, true}};
  const Diagnosis diagnosis = Diagnose(facts, Policy{});
  EXPECT_EQ(diagnosis.summary, "Process 7 (vi) is stopped: state T.");
  ASSERT_FALSE(diagnosis.unknown.empty());
  EXPECT_TRUE(diagnosis.unknown[0].urgent);
}

TEST(Diagnose, TheUnknownThatHidesMostComesFirst) {
  FactSet facts;
  facts.blinds = {{"little", "w", "h", {"job.no-demand"}},
                  {"much", "w", "h", {"job.no-demand", "job.stuck"}}};
  const Diagnosis diagnosis = Diagnose(facts, Policy{});
  ASSERT_GE(diagnosis.unknown.size(), 2U);
  EXPECT_EQ(diagnosis.unknown[0].what, "much");
}

}  // namespace
}  // namespace gpuwhy
