#include "diagnose/test_facts.h"

namespace gpuwhy {

Fact& TestFacts::At(FactId id, const Subject& subject) {
  Fact& fact = facts_[{id, subject}];
  fact.id = id;
  fact.subject = subject;
  if (fact.provenance.reader.empty()) {
    fact.provenance = {"test", "/proc/100/task/*/schedstat", Origin::kComputed};
  }
  return fact;
}

TestFacts& TestFacts::Set(FactId id, double value, std::optional<Interval> interval,
                          const Subject& subject) {
  Fact& fact = At(id, subject);
  fact.value = FactValue(value);
  fact.interval = interval.value_or(Interval{value, value});
  if (interval) fact.stat.n = 400;
  return *this;
}

TestFacts& TestFacts::SetText(FactId id, std::string text, const Subject& subject) {
  At(id, subject).value = FactValue(std::move(text));
  return *this;
}

TestFacts& TestFacts::SetFlag(FactId id, bool value, const Subject& subject) {
  At(id, subject).value = FactValue(value);
  return *this;
}

TestFacts& TestFacts::SetSource(FactId id, std::string source, const Subject& subject) {
  At(id, subject).provenance.source = std::move(source);
  return *this;
}

TestFacts& TestFacts::SetLooks(FactId id, std::uint64_t n) {
  At(id, kTestJob).stat.n = n;
  return *this;
}

TestFacts& TestFacts::Miss(FactId id, Missing missing, const Subject& subject) {
  At(id, subject).value = std::move(missing);
  return *this;
}

TestFacts& TestFacts::Drop(FactId id, const Subject& subject) {
  facts_.erase({id, subject});
  return *this;
}

FactSet TestFacts::Build() const {
  FactSet set;
  for (const auto& [key, fact] : facts_) set.Add(fact);
  set.jobs = jobs;
  set.wait_chain = wait_chain;
  set.blinds = blinds;
  set.pasted = pasted;
  return set;
}

TestFacts HealthyJob() {
  TestFacts facts;
  JobFacts job;
  job.subject = kTestJob;
  job.command = "train.py";
  job.root_pid = 100;
  job.consumer_pid = 100;
  job.filler_pids = {101, 102, 103, 104};
  job.processes = 5;
  job.threads = 9;
  job.score = 1;
  job.gpu = GpuSign::kDevice;
  facts.jobs = {job};
  WaitEdge edge;
  edge.from = {SubjectKind::kProcess, "100"};
  edge.to = {SubjectKind::kProcess, "101"};
  edge.kind = "pipe";
  edge.share = 0.01;
  edge.proof = "direction";
  facts.wait_chain = {edge};
  facts.Set(FactId::kJobRun, 1.2)
      .Set(FactId::kJobDelay, 0.02)
      .Set(FactId::kJobCoresAllowed, 8)
      .Set(FactId::kJobReadSize, 1e6)
      .Set(FactId::kJobReadCalls, 200)
      .Miss(FactId::kJobCoresQuota, {Why::kNotPresent, "cpu.max"})
      .Set(FactId::kConsumerWait, 0.01, Interval{0.002, 0.03})
      .Set(FactId::kConsumerRequests, 0.0, Interval{0.0, 0.01})
      .Set(FactId::kConsumerWakes, 40)
      .Set(FactId::kFillers, 4)
      .Set(FactId::kFillersRun, 0.8)
      .Set(FactId::kFillersDelay, 0.02)
      .Set(FactId::kFillersReadWait, 0.10, Interval{0.08, 0.13})
      .Set(FactId::kFillersOpenWait, 0.02, Interval{0.01, 0.04})
      .Set(FactId::kFillersFaultWait, 0.0, Interval{0.0, 0.01})
      .Set(FactId::kFillersQueueFull, 0.60, Interval{0.55, 0.65})
      .Set(FactId::kGainStorage, 0.0, Interval{0.0, 0.02})
      .Set(FactId::kGainStorageRead, 0.0, Interval{0.0, 0.02})
      .Set(FactId::kGainStorageOpen, 0.0, Interval{0.0, 0.02})
      .Set(FactId::kGainCpuWork, 0.0, Interval{0.0, 0.02})
      .Set(FactId::kGainQuota, 0.0, Interval{0.0, 0.0})
      .Set(FactId::kBoundCpu, 0.0, Interval{0.0, 0.01});
  return facts;
}

TestFacts StorageStarvedJob() {
  TestFacts facts = HealthyJob();
  facts.wait_chain[0].share = 0.7;
  facts.Set(FactId::kConsumerWait, 0.70, Interval{0.65, 0.75})
      .Set(FactId::kFillersReadWait, 0.60, Interval{0.55, 0.65})
      .Set(FactId::kFillersOpenWait, 0.10, Interval{0.07, 0.13})
      .Set(FactId::kFillersQueueFull, 0.0, Interval{0.0, 0.01})
      .Set(FactId::kGainStorage, 0.50, Interval{0.44, 0.56})
      .Set(FactId::kGainStorageRead, 0.44, Interval{0.38, 0.50})
      .Set(FactId::kGainStorageOpen, 0.07, Interval{0.04, 0.10})
      .Set(FactId::kMountReadWait, 0.60, Interval{0.55, 0.65}, kTestMount)
      .Set(FactId::kMountOpenWait, 0.10, Interval{0.07, 0.13}, kTestMount)
      .Set(FactId::kMountOpenNamed, 40, std::nullopt, kTestMount)
      .Set(FactId::kMountOpenDistinct, 38, std::nullopt, kTestMount)
      .SetText(FactId::kMountType, "nfs4", kTestMount)
      .SetText(FactId::kMountSource, "filer:/export", kTestMount)
      .SetText(FactId::kMountExample, "/data/shard-0001.tar", kTestMount);
  return facts;
}

TestFacts MetadataStarvedJob() {
  TestFacts facts = StorageStarvedJob();
  facts.Set(FactId::kFillersReadWait, 0.10, Interval{0.07, 0.13})
      .Set(FactId::kFillersOpenWait, 0.60, Interval{0.55, 0.65})
      .Set(FactId::kGainStorageRead, 0.07, Interval{0.04, 0.10})
      .Set(FactId::kGainStorageOpen, 0.44, Interval{0.38, 0.50})
      .Set(FactId::kMountReadWait, 0.10, Interval{0.07, 0.13}, kTestMount)
      .Set(FactId::kMountOpenWait, 0.60, Interval{0.55, 0.65}, kTestMount)
      .Set(FactId::kJobReadSize, 50000);
  return facts;
}

TestFacts ComputingJob() {
  TestFacts facts = HealthyJob();
  facts.wait_chain[0].share = 0.65;
  facts.Set(FactId::kConsumerWait, 0.65, Interval{0.60, 0.70})
      .Set(FactId::kFillersQueueFull, 0.0, Interval{0.0, 0.01})
      .Set(FactId::kFillersRun, 3.9)
      .Set(FactId::kJobRun, 4.0)
      .Set(FactId::kGainCpuWork, 0.55, Interval{0.50, 0.60})
      .Set(FactId::kBoundCpu, 0.60, Interval{0.55, 0.65});
  return facts;
}

TestFacts ThrottledJob() {
  TestFacts facts = ComputingJob();
  facts.Set(FactId::kJobCoresQuota, 2)
      .Set(FactId::kCgroupThrottled, 0.95, std::nullopt, kTestCgroup)
      .Set(FactId::kCgroupPeriods, 100, std::nullopt, kTestCgroup)
      .SetSource(FactId::kCgroupThrottled, "/sys/fs/cgroup/pods/a/cpu.stat", kTestCgroup)
      .Set(FactId::kFillersRun, 1.9)
      .Set(FactId::kFillersDelay, 2.0)
      .Set(FactId::kJobDelay, 2.1)
      .Set(FactId::kGainQuota, 0.58, Interval{0.52, 0.64});
  return facts;
}

TestFacts IoLimitedJob() {
  TestFacts facts = StorageStarvedJob();
  facts.Set(FactId::kCgroupReadUsed, 0.99, std::nullopt, kTestLimit)
      .Set(FactId::kCgroupReadOpsLimit, 200, std::nullopt, kTestLimit)
      .Set(FactId::kCgroupReadOps, 198, std::nullopt, kTestLimit)
      .Set(FactId::kMountLimitUsed, 0.99, std::nullopt, kTestMount)
      .SetText(FactId::kMountLimitCgroup, "/pods/a", kTestMount)
      .SetText(FactId::kMountLimitDevice, "sda", kTestMount)
      .SetText(FactId::kMountType, "ext4", kTestMount)
      .SetText(FactId::kMountSource, "/dev/sda1", kTestMount)
      .Set(FactId::kBlockReadAwait, 0.0002, std::nullopt, kTestDisk)
      .Set(FactId::kGainReadLimit, 0.48, Interval{0.42, 0.56}, kTestLimit);
  return facts;
}

TestFacts ContendedJob() {
  TestFacts facts = ComputingJob();
  facts.Set(FactId::kFillersRun, 2.0)
      .Set(FactId::kJobRun, 2.1)
      .Set(FactId::kFillersDelay, 1.9)
      .Set(FactId::kJobDelay, 1.9)
      .Set(FactId::kBoundCpu, 0.33, Interval{0.28, 0.38})
      .Set(FactId::kOthersRun, 5.8)
      .Set(FactId::kGainContention, 0.40, Interval{0.35, 0.45});
  return facts;
}

TestFacts PinnedJob() {
  TestFacts facts = ComputingJob();
  facts.Set(FactId::kFillersRun, 1.0)
      .Set(FactId::kJobRun, 1.1)
      .Set(FactId::kFillersDelay, 1.9)
      .Set(FactId::kJobDelay, 1.9)
      .Set(FactId::kJobCoresAllowed, 1)
      .Set(FactId::kHostCpus, 8, std::nullopt, Subject{})
      .Set(FactId::kOthersRun, 0.2)
      .Set(FactId::kGainAffinity, 0.60, Interval{0.50, 0.65});
  return facts;
}

TestFacts OneLoaderJob() {
  TestFacts facts = ComputingJob();
  facts.Set(FactId::kFillers, 1)
      .Set(FactId::kFillersRun, 0.98)
      .Set(FactId::kJobRun, 1.0)
      .Set(FactId::kOthersRun, 0.1)
      .Set(FactId::kGainWorkers, 0.60, Interval{0.50, 0.65});
  return facts;
}

TestFacts IdleServer() {
  TestFacts facts = HealthyJob();
  facts.Set(FactId::kConsumerRequests, 0.97, Interval{0.94, 0.99}).Set(FactId::kJobRun, 0.03);
  return facts;
}

TestFacts MisconfiguredJob() {
  const Subject host;
  TestFacts facts = HealthyJob();
  facts.jobs.front().gpu = GpuSign::kFramework;
  facts.SetText(FactId::kJobVariable, "OMP_NUM_THREADS=8", {SubjectKind::kProcess, "100"})
      .SetText(FactId::kJobVariable, "PYTORCH_NO_CUDA_MEMORY_CACHING=1",
               {SubjectKind::kProcess, "101"})
      .Set(FactId::kJobCoresAllowed, 8)
      .Set(FactId::kJobDelay, 12)
      .Set(FactId::kGainCpuWork, 0.2)
      .Set(FactId::kHostClockLimit, 0.5, std::nullopt, host)
      .Set(FactId::kDriverStart, 8, std::nullopt, host);
  return facts;
}

}  // namespace gpuwhy
