#include "report/test_diagnosis.h"

#include <limits>

namespace gpuwhy {
namespace {

Fact MakeFact(FactId id, Subject subject, Reading<FactValue> value) {
  Fact fact;
  fact.id = id;
  fact.subject = std::move(subject);
  fact.scope = {MonoTime{std::chrono::seconds(100)}, MonoTime{std::chrono::seconds(110)},
                ScopePart::kWhole};
  fact.value = std::move(value);
  fact.provenance = {"job", "/proc/4242/task/*/syscall", Origin::kSampled};
  return fact;
}

Finding MakeFinding(const char* id, const Subject& subject, const char* title) {
  Finding finding;
  finding.id = id;
  finding.subject = subject;
  finding.title = title;
  finding.effect = finding.Info().effect;
  return finding;
}

Diagnosis Watched() {
  Diagnosis diagnosis;
  diagnosis.tool_version = "0.1.0";
  diagnosis.source.kind = "live";
  diagnosis.source.started = "2026-01-02T03:04:05Z";
  diagnosis.source.duration_s = 10;
  diagnosis.source.host = "3f9a";
  diagnosis.source.started_mono = MonoTime{std::chrono::seconds(100)};
  diagnosis.overhead = {0.0063, 21504.0, 412, 1, 0};
  return diagnosis;
}

JobFacts TrainingJob() {
  JobFacts job;
  job.subject = {SubjectKind::kJob, "4242"};
  job.command = "python3";
  job.root_pid = 4242;
  job.consumer_pid = 4242;
  job.filler_pids = {4250, 4251, 4252};
  job.processes = 4;
  job.threads = 23;
  job.score = 0.87;
  job.gpu = GpuSign::kDevice;
  return job;
}

Finding MetadataStorm() {
  const Subject job{SubjectKind::kJob, "4242"};
  Finding finding = MakeFinding("input.metadata-storm", job,
                                "The loaders spend their time opening files on /data (fuse.nfs)");
  finding.severity = Severity::kCritical;
  finding.confidence = Confidence::kHigh;
  finding.cost = Cost{0.41, 0.35, 0.47, CostBasis::kLaw};
  finding.meaning =
      "Three loaders are blocked in open on /data for most of the time, each on another file: the "
      "dataset is many small files on a file system where each open is a round trip.";
  finding.decision = "Pack the small files of the dataset into larger shards";
  finding.fix =
      "Pack the files into shards of 100 MB or more (tar, WebDataset, RecordIO), or stage the "
      "dataset to a local disk before the job starts.";
  finding.verify = "for p in 4250 4251 4252; do cat /proc/$p/wchan; echo; done";
  Fact wait = MakeFact(FactId::kConsumerWait, job, FactValue{0.87});
  wait.interval = {0.84, 0.9};
  wait.stat = {StatKind::kShare, 196, 1};
  finding.evidence.push_back({wait, "under 5 %", "looked at the consumer 20 times a second"});
  Fact open = MakeFact(FactId::kMountOpenWait, {SubjectKind::kMount, "/data"}, FactValue{0.81});
  open.interval = {0.78, 0.84};
  open.stat = {StatKind::kShare, 588, 1};
  finding.evidence.push_back({open, "", ""});
  finding.evidence.push_back({MakeFact(FactId::kMountExample, {SubjectKind::kMount, "/data"},
                                       FactValue{std::string("/data/train/000017.jpg")}),
                              "", ""});
  finding.evidence.push_back(
      {MakeFact(FactId::kJobReadRate, job, Missing{Why::kNoPermission, "/proc/4250/io"}), "", ""});
  return finding;
}

}  // namespace

Diagnosis StarvedJob() {
  Diagnosis diagnosis = Watched();
  const Subject job{SubjectKind::kJob, "4242"};
  diagnosis.summary = "Storage: the loaders spend their time opening files on /data";
  diagnosis.findings.push_back(MetadataStorm());
  Finding filesystem = MakeFinding("input.network-filesystem", {SubjectKind::kMount, "/data"},
                                   "The dataset is read from a network file system");
  filesystem.cost = Cost{0.44, 0.36, 0.5, CostBasis::kLaw};
  filesystem.explained_by = {"input.metadata-storm"};
  filesystem.decision = "Stage the dataset to a local disk";
  diagnosis.findings.push_back(filesystem);
  Finding limit = MakeFinding("gpu.compute-bound", job, "Kernels fill the GPU while they run");
  limit.bound = 0.13;
  diagnosis.findings.push_back(limit);
  Finding cumulative =
      MakeFinding("metric.cumulative", job, "The printed rate is a mean since the start");
  cumulative.meaning = "Its slow drift is no drift.";
  diagnosis.findings.push_back(cumulative);
  diagnosis.verdict = 0;
  diagnosis.jobs = {TrainingJob()};
  const Subject consumer{SubjectKind::kProcess, "4242"};
  const Subject loaders{SubjectKind::kThreadGroup, "3 loaders"};
  const Subject mount{SubjectKind::kMount, "/data"};
  diagnosis.wait_chain = {
      {consumer, loaders, "pipe", "", "pipe:[771]", 0.87, {0.84, 0.9}, "direction", "syscall"},
      {loaders, mount, "open", "storage", "/data (fuse.nfs)", 0.81, {0.78, 0.84}, "", "syscall"},
      {loaders, {SubjectKind::kHost, ""}, "run-queue", "cpu", "", 0.04, {}, "", "schedstat"}};
  diagnosis.step = StepFacts{24, 0.41, 0.52, 58.5, "samples/s", "job log"};
  diagnosis.unknown = {{"The GPU's own utilization",
                        "no NVIDIA driver is loaded",
                        "run gpuwhy where the GPU is",
                        {"clock.thermal", "vram.too-small"}}};
  return diagnosis;
}

Diagnosis UndecidedJobs() {
  Diagnosis diagnosis = Watched();
  diagnosis.summary = "Two jobs run here and none of them stands out";
  diagnosis.jobs = {TrainingJob(), TrainingJob()};
  diagnosis.jobs[1].subject = {SubjectKind::kJob, "5151"};
  diagnosis.jobs[1].root_pid = 5151;
  diagnosis.jobs[1].command = "java";
  diagnosis.jobs[1].score = 0.61;
  diagnosis.jobs[0].working_folder = "/home/ana/exp7";
  diagnosis.jobs[0].cgroup = "/slurm/job_12";
  diagnosis.jobs[0].age_s = 7500.0;
  diagnosis.jobs[0].cores = 3.42;
  diagnosis.unknown = {{"which process is the job",
                        "several look alike: 4242 (python3), 5151 (java)",
                        "name the job's process: gpuwhy diagnose --pid PID",
                        {"input.cpu-transform", "input.io-throttled", "input.metadata-storm",
                         "input.network-filesystem", "job.no-demand"}}};
  for (const char* what : {"one", "two", "three", "four"}) {
    diagnosis.unknown.push_back({what, "not seen", "", {"host.memory-pressure"}});
  }
  return diagnosis;
}

Diagnosis NothingMeasured() {
  Diagnosis diagnosis = Watched();
  diagnosis.measured = false;
  diagnosis.summary = "Nothing could be measured";
  diagnosis.unknown = {{"Everything of this host", "/proc can't be read", "mount /proc", {}}};
  diagnosis.overhead = {};
  return diagnosis;
}

Diagnosis HealthyJob() {
  Diagnosis diagnosis = Watched();
  diagnosis.summary = "The job is healthy";
  Finding healthy = MakeFinding("job.healthy", {SubjectKind::kJob, "4242"},
                                "The step time is stable and inside its objective");
  healthy.decision = "leave utilization alone";
  healthy.confidence = Confidence::kHigh;
  diagnosis.findings = {healthy};
  diagnosis.verdict = 0;
  diagnosis.jobs = {TrainingJob()};
  diagnosis.step = StepFacts{24, 0.41, 0.43, {}, "", "job log"};
  return diagnosis;
}

Diagnosis LostGpu() {
  Diagnosis diagnosis = Watched();
  diagnosis.summary = "A GPU fell off the bus";
  Finding lost = MakeFinding("gpu.fallen-off-bus", {SubjectKind::kGpu, "00000000:3b:00.0"},
                             "GPU 00000000:3b:00.0 no longer answers on the bus");
  lost.severity = Severity::kCritical;
  lost.decision = "drain this node and reseat or replace the GPU";
  diagnosis.findings = {lost};
  diagnosis.verdict = 0;
  diagnosis.alerts = {"gpu.fallen-off-bus"};
  return diagnosis;
}

Diagnosis HostileNames() {
  // NOLINTNEXTLINE(misc-misleading-bidirectional): misleading is what it is for
  const std::string evil = "\x1b]0;own\x07\x1b[2J\r\nroot# \xe2\x80\xaegpj \xff \xc2\x9b";
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  Diagnosis diagnosis = StarvedJob();
  diagnosis.source.host = diagnosis.source.started = diagnosis.source.kind = evil;
  diagnosis.source.duration_s = nan;
  diagnosis.tool_version = diagnosis.summary = evil;
  diagnosis.alerts = {evil};
  for (JobFacts& job : diagnosis.jobs) {
    job.command = job.subject.id = job.working_folder = job.cgroup = evil;
    job.score = nan;
    job.age_s = job.cores = nan;
  }
  for (WaitEdge& edge : diagnosis.wait_chain) {
    edge.from.id += evil;
    edge.to.id += evil;
    edge.object = edge.kind = edge.source = edge.proof = evil;
    edge.share = edge.interval.low = nan;
    edge.interval.high = infinity;
  }
  for (Finding& finding : diagnosis.findings) {
    finding.subject.id = finding.title = finding.meaning = finding.decision = evil;
    finding.fix = finding.verify = evil;
    finding.explained_by = {evil};
    finding.cost = Cost{nan, -infinity, infinity, CostBasis::kLaw};
    for (Evidence& evidence : finding.evidence) {
      evidence.expected = evidence.how = evidence.fact.provenance.source = evil;
      evidence.fact.subject.id = evil;
      if (evidence.fact.value) evidence.fact.value = FactValue{infinity};
    }
  }
  diagnosis.step = StepFacts{1, nan, infinity, nan, evil, evil};
  diagnosis.unknown = {{evil, evil, evil, {evil}}};
  diagnosis.inputs = {{evil, evil, true, {evil}}};
  diagnosis.overhead.cpu_share = nan;
  diagnosis.overhead.peak_rss_kib = infinity;
  return diagnosis;
}

}  // namespace gpuwhy
