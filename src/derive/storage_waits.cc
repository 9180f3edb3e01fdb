#include "derive/storage_waits.h"

#include <map>
#include <set>

#include "derive/fact_writer.h"
#include "derive/mounts.h"

namespace gpuwhy {
namespace {

struct Sums {
  const Mount* mount = nullptr;
  double read = 0, open = 0;
  std::uint64_t named = 0;
  std::set<NameId> paths;
  NameId example = kNoName;  ///< of an open where one was seen, else of a read
  bool example_opens = false;
  MonoTime example_at;
};

class StorageWaitCounter {
 public:
  StorageWaitCounter(const JobInWindow& job, const Looks& looks)
      : job_(job), looks_(looks), mounts_(job.capture) {}

  void Count(const ProcessLook& look) {
    for (std::size_t t = look.first; t < look.last; ++t) {
      const ThreadInLook& thread = looks_.threads[t];
      const bool opens = thread.wait == WaitClass::kStorageOpen;
      const bool reads =
          thread.wait == WaitClass::kStorageRead || thread.wait == WaitClass::kStorageAsync;
      if (!opens && !reads) continue;
      if (thread.detail == 0 || thread.detail >= job_.capture.details.size()) continue;
      const WaitDetail& detail = job_.capture.details[thread.detail];
      const Mount* mount = MountOf(thread, detail);
      if (mount == nullptr) continue;
      Sums& sums = by_point_[job_.capture.Name(mount->mount_point)];
      sums.mount = mount;
      // Each active thread of a process has an equal part of its time, as in ProcessLook::work.
      (opens ? sums.open : sums.read) += 1.0 / look.active_threads;
      NotePath(sums, thread, detail, opens);
    }
  }

  [[nodiscard]] const std::map<std::string, Sums>& Totals() const { return by_point_; }

 private:
  const Mount* MountOf(const ThreadInLook& thread, const WaitDetail& detail) {
    const auto [it, added] = of_detail_.try_emplace(thread.detail, nullptr);
    if (added) it->second = mounts_.Find(job_.processes.Pid(thread.process), detail);
    return it->second;
  }

  void NotePath(Sums& sums, const ThreadInLook& thread, const WaitDetail& detail,
                bool opens) const {
    NameId path = detail.path;
    if (!opens && !detail.fds.empty()) path = detail.fds.front().target;
    if (path == kNoName || job_.capture.Name(path).empty()) return;
    if (opens) {
      ++sums.named;
      sums.paths.insert(path);
    }
    const bool better = opens && !sums.example_opens;
    const bool later = opens == sums.example_opens && thread.at >= sums.example_at;
    if (sums.example != kNoName && !better && !later) return;
    sums.example = path;
    sums.example_opens = opens;
    sums.example_at = thread.at;
  }

  const JobInWindow& job_;
  const Looks& looks_;
  MountTable mounts_;
  std::map<std::uint32_t, const Mount*> of_detail_;
  std::map<std::string, Sums> by_point_;
};

}  // namespace

std::vector<MountShare> StorageWaits(const JobInWindow& job, const Looks& looks,
                                     const std::vector<std::size_t>& fillers,
                                     std::uint64_t& looks_of_fillers) {
  std::vector<bool> is_filler(job.processes.size(), false);
  for (const std::size_t filler : fillers) is_filler[filler] = true;
  StorageWaitCounter counter(job, looks);
  looks_of_fillers = 0;
  for (const ProcessLook& look : looks.processes) {
    if (!is_filler[look.process]) continue;
    ++looks_of_fillers;
    counter.Count(look);
  }
  std::vector<MountShare> waits;
  const auto n = static_cast<double>(looks_of_fillers);
  for (const auto& [point, sums] : counter.Totals()) {
    MountShare wait;
    wait.mount = sums.mount;
    wait.point = point;
    wait.read = WilsonShare(sums.read, n);
    wait.open = WilsonShare(sums.open, n);
    wait.named = sums.named;
    wait.distinct = sums.paths.size();
    wait.example = job.capture.Name(sums.example);
    waits.push_back(std::move(wait));
  }
  return waits;
}

void WriteMountFacts(const JobInWindow& job, const std::vector<MountShare>& waits,
                     std::uint64_t looks_of_fillers, FactSet& facts) {
  FactWriter sampled(facts, job.window, {"job", "/proc/PID/task/*/syscall", Origin::kSampled});
  FactWriter read(facts, job.window, {"mounts", "/proc/PID/mountinfo", Origin::kRead});
  for (const MountShare& wait : waits) {
    const Subject mount{SubjectKind::kMount, wait.point};
    const std::uint64_t n = looks_of_fillers;
    sampled.Sampled(FactId::kMountReadWait, mount, StatKind::kShare, n, wait.read.value,
                    ToInterval(wait.read));
    sampled.Sampled(FactId::kMountOpenWait, mount, StatKind::kShare, n, wait.open.value,
                    ToInterval(wait.open));
    sampled.Counted(FactId::kMountOpenNamed, mount, StatKind::kDelta,
                    static_cast<double>(wait.named));
    sampled.Counted(FactId::kMountOpenDistinct, mount, StatKind::kDelta,
                    static_cast<double>(wait.distinct));
    if (!wait.example.empty()) sampled.Text(FactId::kMountExample, mount, wait.example);
    read.Text(FactId::kMountType, mount, job.capture.Name(wait.mount->fs_type));
    read.Text(FactId::kMountSource, mount, job.capture.Name(wait.mount->source));
  }
}

}  // namespace gpuwhy
