// A /proc in memory for the tests of this folder: processes made with one call each.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "collect/procfs/proc_paths.h"
#include "os/fake_clock.h"
#include "os/fake_file_tree.h"
#include "os/fake_kernel_ipc.h"
#include "os/fake_process_memory.h"
#include "os/host.h"

namespace gpuwhy {

struct FakeProcess {
  std::int32_t pid = 0, ppid = 1, pgrp = 0;
  std::string command = "python3", exe = "/usr/bin/python3";
  std::uint64_t start = 100;
  std::uint32_t threads = 1;
  std::uint64_t slices = 10;
  std::string children = {};  // of the main thread
  char state = 'S';
  std::uint64_t flags = 0;
};

class FakeProc {
 public:
  FakeFileTree files;
  FakeClock clock;
  FakeProcessMemory memory;
  FakeKernelIpc ipc;

  [[nodiscard]] Host Get() { return {files, clock, memory, ipc}; }

  void Add(const FakeProcess& p) {
    const std::string stat =
        fmt::format("{} ({}) {} {} {} 7 0 -1 {} 0 0 5 0 1 2 0 0 20 0 {} 0 {} 0 0", p.pid, p.command,
                    p.state, p.ppid, p.pgrp == 0 ? p.pid : p.pgrp, p.flags, p.threads, p.start);
    files.Set(ProcessPath(p.pid, "stat"), stat);
    files.Set(
        ProcessPath(p.pid, "status"),
        "Uid:\t1000\t1000\t1000\t1000\nVmRSS:\t10 kB\nVmSwap:\t0 kB\nCpus_allowed_list:\t0-1\n"
        "voluntary_ctxt_switches:\t4\nnonvoluntary_ctxt_switches:\t5\n");
    files.Set(ProcessPath(p.pid, "io"), "rchar: 1\nread_bytes: 2\n");
    files.Set(ProcessPath(p.pid, "cgroup"), "0::/job\n");
    files.Set(ProcessPath(p.pid, "maps"), "");
    files.Set(ProcessPath(p.pid, "syscall"), "running\n");
    files.SetLink(ProcessPath(p.pid, "exe"), p.exe);
    files.SetLink(ProcessPath(p.pid, "fd/0"), "/dev/null");
    files.Set(ProcessPath(p.pid, "fdinfo/0"), "flags:\t0\nmnt_id:\t9\n");
    for (std::uint32_t i = 0; i < p.threads; ++i) {
      const std::int32_t tid = p.pid + static_cast<std::int32_t>(i);
      files.Set(ThreadPath(p.pid, tid, "stat"), stat);
      files.Set(ThreadPath(p.pid, tid, "status"), "voluntary_ctxt_switches:\t4\n");
      files.Set(ThreadPath(p.pid, tid, "schedstat"), fmt::format("1000 20 {}\n", p.slices));
      files.Set(ThreadPath(p.pid, tid, "syscall"), "running\n");
      files.Set(ThreadPath(p.pid, tid, "wchan"), "0");
      files.Set(ThreadPath(p.pid, tid, "children"), i == 0 ? p.children : "");
    }
  }
  void AddFd(std::int32_t pid, std::int32_t fd, const std::string& link, const std::string& info) {
    files.SetLink(ProcessPath(pid, fmt::format("fd/{}", fd)), link);
    files.Set(ProcessPath(pid, fmt::format("fdinfo/{}", fd)), info);
  }
};

}  // namespace gpuwhy
