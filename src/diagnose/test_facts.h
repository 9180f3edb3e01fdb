// Facts of a made-up job for tests of rules: start from one of the jobs below, change one field.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "facts/fact_set.h"

namespace gpuwhy {

inline const Subject kTestJob{SubjectKind::kJob, "100"};
inline const Subject kTestMount{SubjectKind::kMount, "/data"};
inline const Subject kTestCgroup{SubjectKind::kCgroup, "/pods/a"};
inline const Subject kTestDisk{SubjectKind::kBlockDevice, "sda"};
inline const Subject kTestLimit = ReadLimitSubject("/pods/a", "sda");

class TestFacts {
 public:
  /// A number with its interval; ends default to the value itself (counted). Of the job, unless
  /// another subject is given. Replaces what was set before.
  TestFacts& Set(FactId id, double value, std::optional<Interval> interval = std::nullopt,
                 const Subject& subject = kTestJob);
  TestFacts& SetText(FactId id, std::string text, const Subject& subject);
  TestFacts& SetFlag(FactId id, bool value, const Subject& subject);
  TestFacts& SetSource(FactId id, std::string source, const Subject& subject);
  /// Samples behind the fact.
  TestFacts& SetLooks(FactId id, std::uint64_t n);
  TestFacts& Miss(FactId id, Missing missing, const Subject& subject = kTestJob);
  /// As if no collector had made it.
  TestFacts& Drop(FactId id, const Subject& subject = kTestJob);

  [[nodiscard]] FactSet Build() const;

  std::vector<JobFacts> jobs;
  std::vector<WaitEdge> wait_chain;
  std::vector<Blind> blinds;
  bool pasted = false;

 private:
  Fact& At(FactId id, const Subject& subject);
  std::map<std::pair<FactId, Subject>, Fact> facts_;
};

/// Fed in time: the consumer waits 1 %, its loaders mostly for room in the queue. No quota.
[[nodiscard]] TestFacts HealthyJob();
/// Four loaders on NFS, reads 60 % and opens 10 % of their time; storage would give back 50 %.
[[nodiscard]] TestFacts StorageStarvedJob();
/// The same wait, but opens of many different small files.
[[nodiscard]] TestFacts MetadataStarvedJob();
/// Loaders compute on all cores; the law bounds 60 % of the time.
[[nodiscard]] TestFacts ComputingJob();
/// Loaders that a full quota stops.
[[nodiscard]] TestFacts ThrottledJob();
/// The storage wait of StorageStarvedJob, under a read limit that is full.
[[nodiscard]] TestFacts IoLimitedJob();
/// Two loaders that get half of their cores; others use as much.
[[nodiscard]] TestFacts ContendedJob();
[[nodiscard]] TestFacts PinnedJob();  ///< may use one of eight idle cores
/// One loader that computes all of the time while the other seven cores are idle.
[[nodiscard]] TestFacts OneLoaderJob();
/// Settings that cost: of the allocator, of thread pools that flood the cores, of the clocks; and a
/// driver that starts slowly.
[[nodiscard]] TestFacts MisconfiguredJob();
/// A server without requests.
[[nodiscard]] TestFacts IdleServer();

}  // namespace gpuwhy
