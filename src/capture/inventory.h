// What a node is made of, as its files tell it. Not in recordings: they hold the files' texts
// (FileText), and this is read from them again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/reading.h"

namespace gpuwhy {

/// The link registers of one function: of the link above it, or for a port of a bridge below it.
struct PciHop {
  std::string address;
  Reading<double> speed_now, speed_able;  ///< GT/s
  Reading<double> width_now, width_able;
  friend bool operator==(const PciHop&, const PciHop&) = default;
};

struct PciFunction {
  std::string address;
  std::string path;  ///< its folder
  bool gpu = false, network = false, nvidia = false;
  std::string driver;  ///< empty: none is bound to it
  Reading<double> numa_node;
  Reading<double> corrected, uncorrected;  ///< errors since boot
  /// A second, between the first and the last look; missing where those are too close.
  Reading<double> corrected_rate;
  std::vector<PciHop> way;  ///< the function itself first, the root port last
  friend bool operator==(const PciFunction&, const PciFunction&) = default;
};

/// A GPU as the kernel driver lists it, also where its library does not answer.
struct DriverGpu {
  std::string address;  ///< "0000:3b:00.0"
  std::string path, name, uuid;
  friend bool operator==(const DriverGpu&, const DriverGpu&) = default;
};

/// The processors of the host.
struct Processors {
  std::string model, hypervisor, iommu;  ///< empty: not told
  Reading<double> sockets, cores, nodes;
  /// Highest clock that the settings let a core reach over its own highest; the lowest of all.
  Reading<double> clock_limit;
  std::string limited_by;  ///< file of that limit
  /// Slowed because of heat, a second, over all cores; missing where two looks are too close.
  Reading<double> throttles;
  friend bool operator==(const Processors&, const Processors&) = default;
};

/// A file whose content is a fact by itself.
struct Setting {
  std::string path, value;
  friend bool operator==(const Setting&, const Setting&) = default;
};

/// What one process of the job was given to work with, as far as it was read of this process: of
/// processes that are alike in it one is enough.
struct ProcessSurroundings {
  std::int32_t pid = 0;
  /// path: the file that sets it; value: "NAME=value", known names only.
  std::vector<Setting> variables;
  /// Bytes and files; Missing{kNotPresent}: unlimited.
  Reading<double> locked_limit, files_limit;
  /// Names in its /dev that are GPUs' or of their driver, apart by blanks; empty: none.
  Reading<std::string> gpu_files;
  /// May its cgroup open them? Missing{kNotSupported}: version 2 keeps its rules in a program.
  Reading<bool> gpus_allowed;
  Reading<double> shm_size;  ///< bytes
  Reading<double> shm_used;  ///< share, when it was fullest
  friend bool operator==(const ProcessSurroundings&, const ProcessSurroundings&) = default;
};

struct Inventory {
  std::vector<PciFunction> functions;
  std::vector<Setting> settings;
  std::vector<ProcessSurroundings> processes;  ///< of the job, by pid
  std::vector<DriverGpu> driver_gpus;
  std::vector<Setting>
      redirects;  ///< bridges above GPUs that redirect requests: their control word
  Processors processors;
  friend bool operator==(const Inventory&, const Inventory&) = default;
};

}  // namespace gpuwhy
