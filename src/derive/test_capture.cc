#include "derive/test_capture.h"

#include <utility>

namespace gpuwhy {
namespace {

constexpr Nanos kStart = std::chrono::seconds(100);
constexpr Nanos kEnd = std::chrono::seconds(110);
constexpr Nanos kStep = std::chrono::milliseconds(50);

Nanos FromSeconds(double s) { return Nanos(static_cast<std::int64_t>(s * 1e9)); }

}  // namespace

Doing Running() { return {}; }

Doing Blocked(Syscall call, const std::string& wchan, std::uint32_t detail, char state) {
  return {state, SyscallState::kBlocked, call, WchanState::kName, wchan, detail};
}

Doing Denied() { return {'S', SyscallState::kDenied, Syscall::kOther, WchanState::kDenied, "", 0}; }

Doing InChannel(const std::string& wchan, char state) {
  return {state, SyscallState::kDenied, Syscall::kOther, WchanState::kName, wchan, 0};
}

CaptureBuilder::CaptureBuilder(std::int32_t job_pid) {
  capture.run.job_pid = job_pid;
  capture.run.started = capture.run.focused = {kStart};
  capture.run.ended = {kEnd};
  capture.host.cpus_online = 8;
}

NameId CaptureBuilder::Name(const std::string& text) {
  if (text.empty()) return kNoName;
  const auto [it, added] = names_.try_emplace(text, static_cast<NameId>(capture.names.size()));
  if (added) capture.names.push_back(text);
  return it->second;
}

ProcessSeen& CaptureBuilder::Process(std::int32_t pid, std::int32_t ppid,
                                     const std::string& command) {
  ProcessSeen process;
  process.at = {kStart};
  process.pid = pid;
  process.ppid = ppid;
  process.command = Name(command);
  process.threads = 1;
  process.cpus_allowed = 8U;
  process.waits_visible = true;
  capture.processes.push_back(process);
  return capture.processes.back();
}

CaptureBuilder& CaptureBuilder::Fd(std::int32_t pid, std::int32_t fd, const std::string& target,
                                   FdAccess access) {
  FdSeen seen;
  seen.at = {kStart};
  seen.pid = pid;
  seen.ref.fd = fd;
  seen.ref.target = Name(target);
  seen.ref.access = access;
  capture.fds.push_back(seen);
  return *this;
}

CaptureBuilder& CaptureBuilder::Mapping(std::int32_t pid, std::uint64_t start, std::uint64_t inode,
                                        const std::string& path) {
  SharedRegion region;
  region.at = {kStart};
  region.pid = pid;
  region.start = start;
  region.end = start + 4096;
  region.inode = inode;
  region.path = Name(path);
  capture.regions.push_back(region);
  return *this;
}

CaptureBuilder& CaptureBuilder::MountAt(std::int32_t pid, std::int32_t id, const std::string& point,
                                        const std::string& type) {
  Mount mount;
  mount.pid = pid;
  mount.mount_id = id;
  mount.mount_point = Name(point);
  mount.fs_type = Name(type);
  mount.source = Name("server:/export");
  capture.mounts.push_back(mount);
  return *this;
}

SocketSeen& CaptureBuilder::Socket(std::uint64_t inode, SocketKind kind) {
  SocketSeen socket;
  socket.at = {kStart};
  socket.inode = inode;
  socket.kind = kind;
  capture.sockets.push_back(socket);
  return capture.sockets.back();
}

CaptureBuilder& CaptureBuilder::Used(std::int32_t pid, std::int32_t tid, double run_s,
                                     double delay_s, std::uint64_t wakes) {
  ThreadCounters counters;
  counters.at = {kStart};
  counters.pid = pid;
  counters.tid = tid;
  counters.run_ns = std::uint64_t{1000};
  counters.delay_ns = std::uint64_t{2000};
  counters.voluntary = std::uint64_t{5};
  counters.involuntary = std::uint64_t{0};
  capture.thread_counters.push_back(counters);
  counters.at = {kEnd};
  counters.run_ns = 1000 + static_cast<std::uint64_t>(FromSeconds(run_s).count());
  counters.delay_ns = 2000 + static_cast<std::uint64_t>(FromSeconds(delay_s).count());
  counters.voluntary = 5 + wakes;
  capture.thread_counters.push_back(counters);
  return *this;
}

CaptureBuilder& CaptureBuilder::Quota(const std::string& path, std::uint64_t quota_us,
                                      std::uint64_t periods, std::uint64_t throttled) {
  CgroupCpuSample sample;
  sample.at = {kStart};
  sample.path = Name(path);
  sample.periods = std::uint64_t{7};
  sample.throttled_periods = std::uint64_t{3};
  sample.throttled_us = std::uint64_t{0};
  sample.quota_us = quota_us;
  sample.period_us = std::uint64_t{100'000};
  capture.cgroup_cpu.push_back(sample);
  sample.at = {kEnd};
  sample.periods = 7 + periods;
  sample.throttled_periods = 3 + throttled;
  capture.cgroup_cpu.push_back(sample);
  return *this;
}

CaptureBuilder& CaptureBuilder::CpusBusy(double cpus) {
  CpuSample sample;
  sample.at = {kStart};
  sample.user = 700;
  sample.idle = 4000;
  capture.cpu.push_back(sample);
  sample.at = {kEnd};
  const auto used = static_cast<std::uint64_t>(cpus * 1000);
  sample.user += used;
  sample.idle += 8000 - used;
  capture.cpu.push_back(sample);
  return *this;
}

CaptureBuilder& CaptureBuilder::Ticks(std::int32_t pid, std::uint64_t own, std::uint64_t children) {
  ProcessCounters counters;
  counters.at = {kStart};
  counters.pid = pid;
  counters.cpu_ticks = std::uint64_t{70};
  counters.children_ticks = std::uint64_t{30};
  capture.process_counters.push_back(counters);
  counters.at = {kEnd};
  counters.cpu_ticks = 70 + own;
  counters.children_ticks = 30 + children;
  capture.process_counters.push_back(counters);
  return *this;
}

CaptureBuilder& CaptureBuilder::Disk(DeviceNumber device, const std::string& name,
                                     std::uint64_t reads, double await_ms) {
  BlockSample sample;
  sample.at = {kStart};
  sample.device = device;
  sample.name = Name(name);
  sample.reads = 1;
  capture.block.push_back(sample);
  sample.at = {kEnd};
  sample.reads += reads;
  sample.read_ms += static_cast<std::uint64_t>(static_cast<double>(reads) * await_ms);
  sample.busy_ms = sample.read_ms;
  capture.block.push_back(sample);
  return *this;
}

CaptureBuilder& CaptureBuilder::ReadLimit(const std::string& path, DeviceNumber device,
                                          std::uint64_t limit, std::uint64_t reads) {
  CgroupIoSample sample;
  sample.at = {kStart};
  sample.path = Name(path);
  sample.device = device;
  sample.read_ops_limit = limit;
  sample.read_bytes_limit = Missing{Why::kNotPresent, "rbps"};
  sample.reads = std::uint64_t{50};
  sample.read_bytes = std::uint64_t{0};
  capture.cgroup_io.push_back(sample);
  sample.at = {kEnd};
  sample.reads = 50 + reads;
  capture.cgroup_io.push_back(sample);
  return *this;
}

std::uint32_t CaptureBuilder::Add(WaitDetail detail) {
  detail.resolved = true;
  for (std::size_t i = 1; i < capture.details.size(); ++i) {
    if (capture.details[i] == detail) return static_cast<std::uint32_t>(i);
  }
  capture.details.push_back(std::move(detail));
  return static_cast<std::uint32_t>(capture.details.size() - 1);
}

std::uint32_t CaptureBuilder::OnFd(std::int32_t pid, std::int32_t fd, const std::string& target,
                                   FdAccess access, std::int32_t mount_id) {
  WaitDetail detail;
  detail.pid = pid;
  FdRef ref;
  ref.fd = fd;
  ref.target = Name(target);
  ref.access = access;
  ref.mount_id = mount_id;
  detail.fds.push_back(ref);
  return Add(detail);
}

std::uint32_t CaptureBuilder::OnFds(std::int32_t pid, const std::vector<std::string>& targets) {
  WaitDetail detail;
  detail.pid = pid;
  for (const std::string& target : targets) {
    FdRef ref;
    ref.fd = static_cast<std::int32_t>(20 + detail.fds.size());
    ref.target = Name(target);
    ref.access = FdAccess::kRead;
    detail.fds.push_back(ref);
  }
  return Add(detail);
}

std::uint32_t CaptureBuilder::OnPath(std::int32_t pid, const std::string& path) {
  WaitDetail detail;
  detail.pid = pid;
  detail.path = Name(path);
  return Add(detail);
}

std::uint32_t CaptureBuilder::OnFutex(std::int32_t pid, std::uint64_t address, bool is_private) {
  WaitDetail detail;
  detail.pid = pid;
  detail.futex_address = address;
  detail.futex_private = is_private;
  return Add(detail);
}

std::uint32_t CaptureBuilder::OnNothing(std::int32_t pid) {
  WaitDetail detail;
  detail.pid = pid;
  detail.timer_only = true;
  return Add(detail);
}

CaptureBuilder& CaptureBuilder::Look(std::int32_t pid, std::int32_t tid, std::uint32_t tick,
                                     const Doing& doing) {
  ThreadSample sample;
  sample.at = {kStart + kStep * (tick + 1)};
  sample.tick = tick;
  sample.pid = pid;
  sample.tid = tid;
  sample.state = doing.state;
  sample.call_state = doing.call_state;
  sample.call = doing.call;
  sample.wchan_state = doing.wchan_state;
  sample.wchan = Name(doing.wchan);
  sample.detail = doing.detail;
  capture.thread_samples.push_back(sample);
  return *this;
}

CaptureBuilder& CaptureBuilder::Looks(std::int32_t pid, std::int32_t tid, std::uint32_t ticks,
                                      const Doing& doing) {
  for (std::uint32_t tick = 0; tick < ticks; ++tick) Look(pid, tid, tick, doing);
  return *this;
}

CaptureBuilder PipeJob(int workers) {
  CaptureBuilder builder(10);
  builder.Process(10, 1, "python");
  // As fork leaves it: the trainer holds both ends, and so does every worker.
  builder.Fd(10, 5, "pipe:[77]", FdAccess::kRead).Fd(10, 6, "pipe:[77]", FdAccess::kWrite);
  for (int i = 1; i <= workers; ++i) {
    builder.Process(10 + i, 10, "python");
    builder.Fd(10 + i, 5, "pipe:[77]", FdAccess::kRead);
    builder.Fd(10 + i, 6, "pipe:[77]", FdAccess::kWrite);
  }
  return builder;
}

Doing WaitsForPipe(CaptureBuilder& builder) {
  return Blocked(Syscall::kRead, "anon_pipe_read", builder.OnFd(10, 5, "pipe:[77]"));
}

}  // namespace gpuwhy
