#include "capture/capture.h"

#include <iterator>
#include <utility>

namespace gpuwhy {
namespace {

template <class T>
void Move(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  from.clear();
}

}  // namespace

void AppendSamples(Capture& capture, Capture&& more) {
  Capture from = std::move(more);
  Move(capture.clocks, from.clocks);
  Move(capture.cpu, from.cpu);
  Move(capture.psi, from.psi);
  Move(capture.block, from.block);
  Move(capture.mounts, from.mounts);
  Move(capture.processes, from.processes);
  Move(capture.thread_counters, from.thread_counters);
  Move(capture.process_counters, from.process_counters);
  Move(capture.thread_samples, from.thread_samples);
  Move(capture.fds, from.fds);
  Move(capture.regions, from.regions);
  Move(capture.sockets, from.sockets);
  Move(capture.cgroup_cpu, from.cgroup_cpu);
  Move(capture.cgroup_io, from.cgroup_io);
  Move(capture.block_layers, from.block_layers);
  Move(capture.sysv_users, from.sysv_users);
  Move(capture.devices, from.devices);
  Move(capture.device_values, from.device_values);
  Move(capture.device_processes, from.device_processes);
  Move(capture.device_messages, from.device_messages);
  Move(capture.file_texts, from.file_texts);
  Move(capture.kernel_lines, from.kernel_lines);
  Move(capture.sources, from.sources);
}

}  // namespace gpuwhy
