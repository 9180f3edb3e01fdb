// Everything that a collector may touch of the machine, by reference. cli/ makes the real one;
// tests make fakes.
#pragma once

#include "os/clock.h"
#include "os/file_tree.h"
#include "os/kernel_ipc.h"
#include "os/process_memory.h"

namespace gpuwhy {

struct Host {
  FileTree& files;
  Clock& clock;
  ProcessMemory& memory;
  KernelIpc& ipc;
};

}  // namespace gpuwhy
