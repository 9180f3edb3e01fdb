// The stored fields of every struct, once, for writing, reading and checking alike. The order of
// the calls is the order of the columns in a recording (format.md), so: append only, and a
// struct's new field goes behind all the others, also behind those of structs that hold it by
// Struct() (FdSeen may therefore only grow through FdRef, and DeviceNumber never). A new field or
// enumerator raises kFrameVersion of its frame types.
//
//   Value     a number, text or duration        Name, Detail  an index into Capture's tables
//   Delta     a number close to that of the     Enum          with its last enumerator and, where
//             record before                                   there is one, a neutral stand-in for
//   Time      a MonoTime, as a delta                          what a newer build may have stored
//   Measured  a Reading                         Struct, List  another struct, or any number of them
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "capture/capture.h"
#include "capture/frame.h"

namespace gpuwhy {

/// T or const T: a writer passes const records, a reader's are to be filled.
template <class S, class T>
concept Like = std::same_as<std::remove_const_t<S>, T>;

template <class A, Like<std::int32_t> S>
void Fields(A& a, S& s) {
  a.Value(s);
}

template <class A, Like<std::string> S>
void Fields(A& a, S& s) {
  a.Value(s);
}

template <class A, Like<Missing> S>
void Fields(A& a, S& s) {
  a.Enum(s.why, Why::kWentBackwards, Why::kFailed);
  a.Value(s.detail);
}

template <class A, Like<RunInfo> S>
void Fields(A& a, S& s) {
  a.Value(s.tool_version);
  a.Value(s.job_pid);
  a.Value(s.focus_pid);
  a.Time(s.started);
  a.Time(s.focused);
  a.Time(s.ended);
  a.Value(s.started_realtime);
  a.Value(s.uid);
  a.Value(s.ptrace);
  a.Measured(s.ptrace_scope);
  a.Value(s.tool_cpu);
  a.Value(s.peak_rss_kib);
  a.Value(s.policy_toml);
}

template <class A, Like<HostInfo> S>
void Fields(A& a, S& s) {
  a.Value(s.kernel);
  a.Value(s.machine);
  a.Value(s.cpus_online);
  a.Value(s.page_size);
  a.Value(s.ticks_per_second);
  a.Value(s.id);
}

template <class A, Like<ClockSample> S>
void Fields(A& a, S& s) {
  a.Time(s.mono);
  a.Value(s.half_width);
  a.Value(s.boottime);
  a.Value(s.realtime);
  a.Value(s.utc_offset_s);
}

template <class A, Like<CpuSample> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Delta(s.user);
  a.Delta(s.nice);
  a.Delta(s.system);
  a.Delta(s.idle);
  a.Delta(s.iowait);
  a.Delta(s.irq);
  a.Delta(s.softirq);
  a.Delta(s.steal);
  a.Delta(s.context_switches);
  a.Value(s.running);
  a.Value(s.blocked);
}

template <class A, Like<PsiSample> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Enum(s.resource, PsiResource::kMemory);
  a.Name(s.cgroup);
  a.Value(s.some_us);
  a.Measured(s.full_us);
}

template <class A, Like<DeviceNumber> S>
void Fields(A& a, S& s) {
  a.Value(s.major);
  a.Value(s.minor);
}

template <class A, Like<BlockSample> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Struct(s.device);
  a.Name(s.name);
  a.Value(s.reads);
  a.Value(s.read_sectors);
  a.Value(s.read_ms);
  a.Value(s.writes);
  a.Value(s.write_sectors);
  a.Value(s.write_ms);
  a.Value(s.in_flight);
  a.Value(s.busy_ms);
  a.Value(s.weighted_ms);
}

template <class A, Like<BlockLayer> S>
void Fields(A& a, S& s) {
  a.Struct(s.device);
  a.Struct(s.below);
  a.Measured(s.known);
}

template <class A, Like<Mount> S>
void Fields(A& a, S& s) {
  a.Delta(s.pid);
  a.Delta(s.mount_id);
  a.Value(s.parent_id);
  a.Struct(s.device);
  a.Name(s.root);
  a.Name(s.mount_point);
  a.Name(s.fs_type);
  a.Name(s.source);
  a.Name(s.options);
}

template <class A, Like<CgroupRef> S>
void Fields(A& a, S& s) {
  a.Name(s.controllers);
  a.Name(s.path);
}

template <class A, Like<ProcessSeen> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Delta(s.pid);
  a.Delta(s.ppid);
  a.Delta(s.pgrp);
  a.Delta(s.session);
  a.Delta(s.start_ticks);
  a.Value(s.uid);
  a.Name(s.command);
  a.Name(s.executable);
  a.Value(s.threads);
  a.Measured(s.cpus_allowed);
  a.List(s.cgroups);
  a.Value(s.maps_cuda);
  a.Measured(s.waits_visible);
  a.Name(s.working_folder);
  a.Value(s.maps_framework);
}

template <class A, Like<ThreadCounters> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Delta(s.pid);
  a.Delta(s.tid);
  a.Measured(s.run_ns);
  a.Measured(s.delay_ns);
  a.Measured(s.voluntary);
  a.Measured(s.involuntary);
}

template <class A, Like<ProcessCounters> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Delta(s.pid);
  a.Measured(s.read_chars);
  a.Measured(s.read_calls);
  a.Measured(s.read_bytes);
  a.Measured(s.write_chars);
  a.Measured(s.write_calls);
  a.Measured(s.write_bytes);
  a.Measured(s.major_faults);
  a.Measured(s.resident_kib);
  a.Measured(s.swapped_kib);
  a.Measured(s.cpu_ticks);
  a.Measured(s.children_ticks);
}

template <class A, Like<ThreadSample> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Delta(s.tick);
  a.Delta(s.pid);
  a.Delta(s.tid);
  a.Value(s.state);
  a.Enum(s.call_state, SyscallState::kGone, SyscallState::kNotRead);
  a.Enum(s.call, Syscall::kMunmap, Syscall::kOther);
  a.Enum(s.wchan_state, WchanState::kDenied, WchanState::kNotRead);
  a.Name(s.wchan);
  a.Detail(s.detail);
}

template <class A, Like<FdRef> S>
void Fields(A& a, S& s) {
  a.Value(s.fd);
  a.Name(s.target);
  a.Enum(s.access, FdAccess::kUnknown, FdAccess::kUnknown);
  a.Value(s.mount_id);
  a.Value(s.inode);
  a.Value(s.eventfd_id);
  a.List(s.epoll_targets);
}

template <class A, Like<WaitDetail> S>
void Fields(A& a, S& s) {
  a.Delta(s.pid);
  a.List(s.fds);
  a.Value(s.wants_write);
  a.Measured(s.futex_address);
  a.Value(s.futex_private);
  a.Name(s.path);
  a.Measured(s.sysv_id);
  a.Value(s.timer_only);
  a.Measured(s.resolved);
}

template <class A, Like<FdSeen> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Delta(s.pid);
  a.Struct(s.ref);
}

template <class A, Like<SharedRegion> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Delta(s.pid);
  a.Delta(s.start);
  a.Delta(s.end);
  a.Value(s.offset);
  a.Struct(s.device);
  a.Value(s.inode);
  a.Name(s.path);
}

template <class A, Like<SocketSeen> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Value(s.inode);
  a.Enum(s.kind, SocketKind::kUdp);
  a.Value(s.peer_inode);
  a.Value(s.listening);
  a.Value(s.server_side);
  a.Name(s.remote);
}

template <class A, Like<SysvUser> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Enum(s.kind, SysvKind::kQueue);
  a.Value(s.id);
  a.Delta(s.pid);
}

template <class A, Like<CgroupCpuSample> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Name(s.path);
  a.Measured(s.periods);
  a.Measured(s.throttled_periods);
  a.Measured(s.throttled_us);
  a.Measured(s.usage_us);
  a.Measured(s.quota_us);
  a.Measured(s.period_us);
}

template <class A, Like<CgroupIoSample> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Name(s.path);
  a.Struct(s.device);
  a.Measured(s.read_ops_limit);
  a.Measured(s.read_bytes_limit);
  a.Measured(s.reads);
  a.Measured(s.read_bytes);
}

template <class A, Like<DeviceSeen> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Value(s.index);
  a.Name(s.uuid);
  a.Name(s.bus_id);
}

template <class A, Like<DeviceValue> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Delta(s.index);
  a.Enum(s.field, kLastGpuField, GpuField::kTimestamp);
  a.Enum(s.kind, DeviceValueKind::kText);
  a.Measured(s.value);
  a.Name(s.text);
  a.Name(s.call);
}

template <class A, Like<DeviceProcess> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Delta(s.index);
  a.Delta(s.pid);
  a.Value(s.graphics);
  a.Measured(s.memory_kib);
  a.Measured(s.sm_percent);
}

template <class A, Like<DeviceMessage> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Value(s.index);
  a.Name(s.kind);
  a.Name(s.text);
}

template <class A, Like<FileText> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Name(s.path);
  a.Name(s.text);
  a.Measured(s.read);
}

template <class A, Like<KernelLine> S>
void Fields(A& a, S& s) {
  a.Time(s.at);
  a.Name(s.text);
}

template <class A, Like<SourceReport> S>
void Fields(A& a, S& s) {
  a.Value(s.name);
  a.Value(s.asked);
  a.Value(s.answered);
  a.Value(s.late);
  a.Value(s.lost);
  a.Value(s.cpu);
  a.Value(s.period);
  a.Value(s.stuck);
  a.List(s.missing);
}

/// Calls visit(FrameType, vector) for every vector of Capture that EncodePart() stores, but for the
/// two tables. The order is that of the frames in a part.
template <Like<Capture> C, class Visit>
void ForEachSampleVector(C& c, Visit&& visit) {
  visit(FrameType::kClocks, c.clocks);
  visit(FrameType::kMounts, c.mounts);
  visit(FrameType::kProcesses, c.processes);
  visit(FrameType::kCpu, c.cpu);
  visit(FrameType::kPsi, c.psi);
  visit(FrameType::kBlock, c.block);
  visit(FrameType::kThreadCounters, c.thread_counters);
  visit(FrameType::kProcessCounters, c.process_counters);
  visit(FrameType::kThreadSamples, c.thread_samples);
  visit(FrameType::kFds, c.fds);
  visit(FrameType::kRegions, c.regions);
  visit(FrameType::kSockets, c.sockets);
  visit(FrameType::kCgroupCpu, c.cgroup_cpu);
  visit(FrameType::kCgroupIo, c.cgroup_io);
  visit(FrameType::kBlockLayers, c.block_layers);
  visit(FrameType::kSysvUsers, c.sysv_users);
  visit(FrameType::kDevices, c.devices);
  visit(FrameType::kDeviceValues, c.device_values);
  visit(FrameType::kDeviceProcesses, c.device_processes);
  visit(FrameType::kDeviceMessages, c.device_messages);
  visit(FrameType::kFileTexts, c.file_texts);
  visit(FrameType::kKernelLines, c.kernel_lines);
}

}  // namespace gpuwhy
