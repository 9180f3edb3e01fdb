#include "parse/logs/mention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "parse/logs/statements.h"

namespace gpuwhy {
namespace {

bool SaysAnything(std::string_view line) {
  const std::vector<StatementSeen> seen = FindStatements(line);
  return std::any_of(seen.begin(), seen.end(),
                     [](const StatementSeen& one) { return one.count > 0; });
}

TEST(Mention, OfAFaultIsNoFault) {
  constexpr std::string_view kLines[] = {
      "no \"GPU has fallen off the bus\" found",
      "If dmesg shows \"NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.\" drain the "
      "node.",
      "To reproduce: Xid 79 means GPU has fallen off the bus",
      "  - when the driver prints NVRM: Xid (PCI:0000:01:00): 48, replace the board",
      "    {kFallenOffBus, \"has fallen off the bus\"},",
      "  EXPECT_TRUE(Says(\"Driver/library version mismatch\"));",
      "// nvidia-smi: Failed to initialize NVML: Driver/library version mismatch",
      " * Segmentation fault (core dumped) is what the shell says",
      "# echo \"Out of memory: Killed process 1 (x)\"",
      "$ dmesg | grep -i 'invoked oom-killer'",
      "job crashed? no. Segmentation fault (core dumped) was in the old run",
      "Does it print `Failed to initialize NVML: Unknown Error` inside the container?",
      "The runbook says `NVRM: Xid (PCI:0000:61:00): 79` is a drain.",
      "3. look for CUDA_ERROR_SYSTEM_NOT_READY in the log",
      "> Should OOMKilled pods be restarted by hand",
      "We see no nfs: server filer not responding in the kernel log",
      "There was no Watchdog caught collective operation timeout this week",
      "what does \"insufficient shared memory (shm)\" mean?",
      "grep 'uncorrectable ECC error encountered' train.log",
      "alert if kernel: invoked oom-killer appears twice",
      "Xid 79 means GPU has fallen off the bus",
      "# if you get OMP_NUM_THREADS=1 here, raise it",
      "log.error(\"CUDA unknown error\");",
      "The words \xe2\x80\x9cGPU is lost\xe2\x80\x9d stand in our wiki",
  };
  for (const std::string_view line : kLines) EXPECT_FALSE(SaysAnything(line)) << line;
}

TEST(Mention, IsNotWhatAProgramPrintsHoweverItIsPasted) {
  constexpr std::string_view kLines[] = {
      "[ 1234.567890] NVRM: Xid (PCI:0000:3b:00): 79, pid=0, GPU has fallen off the bus.",
      "> [ 1234.567890] NVRM: GPU at 0000:3b:00.0 has fallen off the bus.",
      "Nov 30 12:00:01 n1 kernel: python3 invoked oom-killer: gfp_mask=0x0",
      "Failed to initialize NVML: Driver/library version mismatch",
      "nvidia-container-cli: initialization error: nvml error: driver/library version mismatch: "
      "unknown.",
      "{\"time\":\"2026-11-30\",\"msg\":\"Failed to initialize NVML: Unknown Error\"}",
      "  \"error\": \"CUDA unknown error - this may be due to an incorrectly set up environment\",",
      "RuntimeError(\"CUDA unknown error\")",
      "  - [rank3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7)",
      "E1130 rank 3: RuntimeError: CUDA error: uncorrectable ECC error encountered",
      "I get: RuntimeError: CUDA error: uncorrectable ECC error encountered",
      "docker: Error response from daemon: could not select device driver \"\" with capabilities: "
      "[[gpu]].",
      "n1:7:9 [0] NCCL INFO NET/IB : No device found.",
      "INFO: task python3:4711 blocked for more than 120 seconds.",
      "    \"OOMKilled\": true,",
      "ERROR: Unable to build the NVIDIA kernel module",
      "* nvidia.ko: ERROR: Unable to build the NVIDIA kernel module",
      "W1130 12:00:00 torch/run.py: Setting OMP_NUM_THREADS environment variable for each process "
      "to be 1 in default",
      "train.py: line 3: 4711 Segmentation fault (core dumped) python train.py",
      "[12:00:01] nfs: server 10.0.0.5 not responding, still trying",
  };
  for (const std::string_view line : kLines) EXPECT_TRUE(SaysAnything(line)) << line;
}

}  // namespace
}  // namespace gpuwhy
