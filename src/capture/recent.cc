#include "capture/recent.h"

#include <set>
#include <tuple>
#include <utility>

namespace gpuwhy {
namespace {

class Cut {
 public:
  Cut(const RunInfo& run, MonoTime since) : focused_(run.focused), since_(since) {}

  [[nodiscard]] bool Keeps(MonoTime at) const { return at <= focused_ || at >= since_; }

  template <class Sample>
  void Samples(std::vector<Sample>& samples) const {
    std::erase_if(samples, [this](const Sample& sample) { return !Keeps(sample.at); });
  }

  // Of what has the same key the last one before `since` stays: it still holds there.
  template <class Seen, class KeyOf>
  void States(std::vector<Seen>& seen, KeyOf key_of) const {
    using Key = decltype(key_of(seen.front()));
    std::set<Key> held;
    std::vector<bool> drop(seen.size(), false);
    for (std::size_t i = seen.size(); i-- > 0;) {
      if (seen[i].at < since_) drop[i] = !held.insert(key_of(seen[i])).second;
    }
    std::size_t index = 0;
    std::erase_if(seen, [&](const Seen&) { return drop[index++]; });
  }

 private:
  MonoTime focused_, since_;
};

// Who was looked at in what is kept.
std::set<std::int32_t> PidsOf(const Capture& capture) {
  std::set<std::int32_t> pids{capture.run.job_pid, capture.run.focus_pid};
  for (const ThreadCounters& sample : capture.thread_counters) pids.insert(sample.pid);
  for (const ProcessCounters& sample : capture.process_counters) pids.insert(sample.pid);
  for (const ThreadSample& sample : capture.thread_samples) pids.insert(sample.pid);
  return pids;
}

template <class Owned>
void KeepOf(const std::set<std::int32_t>& pids, MonoTime since, std::vector<Owned>& owned) {
  std::erase_if(owned, [&](const Owned& one) { return one.at < since && !pids.contains(one.pid); });
}

}  // namespace

void KeepSince(Capture& capture, MonoTime since) {
  if (since <= capture.run.focused) return;
  const Cut cut(capture.run, since);
  cut.Samples(capture.cpu);
  cut.Samples(capture.psi);
  cut.Samples(capture.block);
  cut.Samples(capture.thread_counters);
  cut.Samples(capture.process_counters);
  cut.Samples(capture.thread_samples);
  cut.Samples(capture.cgroup_cpu);
  cut.Samples(capture.cgroup_io);
  cut.Samples(capture.device_processes);
  const std::set<std::int32_t> pids = PidsOf(capture);
  KeepOf(pids, since, capture.processes);
  KeepOf(pids, since, capture.fds);
  KeepOf(pids, since, capture.regions);
  cut.States(capture.fds, [](const FdSeen& fd) { return std::pair(fd.pid, fd.ref.fd); });
  cut.States(capture.regions,
             [](const SharedRegion& region) { return std::pair(region.pid, region.start); });
  cut.States(capture.sockets, [](const SocketSeen& socket) { return socket.inode; });
  cut.States(capture.devices, [](const DeviceSeen& device) { return device.index; });
  cut.States(capture.device_messages,
             [](const DeviceMessage& message) { return std::pair(message.index, message.kind); });
  cut.States(capture.file_texts, [](const FileText& text) { return text.path; });
  cut.States(capture.device_values,
             [](const DeviceValue& value) { return std::pair(value.index, value.field); });
  cut.States(capture.sysv_users,
             [](const SysvUser& user) { return std::tuple(user.kind, user.id, user.pid); });
}

}  // namespace gpuwhy
