// What host tools and files say in handed-in text: mpstat, iostat, vmstat, nfsiostat, top, ps, df
// and their kin. One shape for all of them: a row of figures about one thing, with the line it
// stands in. Plain data; parse/host/ fills it, derive/pasted_host*.cc reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gpuwhy {

/// What a row is about.
enum class HostTable : unsigned char {
  kCpu,         ///< name: "all" or the number of a core
  kBlock,       ///< name: the block device
  kPaging,      ///< run queue and swap traffic
  kNfs,         ///< name: the mount point; kOperation tells which call
  kProcess,     ///< name: the pid
  kMemory,      ///< of the whole host
  kFileSystem,  ///< name: the mount point
  kNumaNode,    ///< name: its number
  kLink,        ///< name: the interface
  kMachine,     ///< what the host is made of
};

/// Shares are 0..1, times seconds, sizes bytes, rates per second.
enum class HostField : unsigned char {
  kUser,
  kNice,
  kSystem,
  kIowait,
  kIrq,
  kSoftirq,
  kSteal,
  kGuest,
  kIdle,
  kReadOps,
  kWriteOps,
  kReadRate,
  kWriteRate,
  kReadAwait,
  kWriteAwait,
  kAwait,  ///< of reads and writes together
  kQueue,
  kBusy,
  kRunnable,
  kBlocked,
  kSwapIn,
  kSwapOut,
  kSwapUsed,
  kSwapTotal,
  kMemTotal,
  kMemFree,
  kMemAvailable,
  kMemDirty,
  kMemLocked,
  kOps,
  kRate,
  kRetrans,  ///< of the calls that were sent
  kRtt,      ///< sent to answered
  kExe,      ///< asked for to done
  kOperation,
  kCores,    ///< CPU time per second; a mean since its start in ps
  kRunWait,  ///< share of time ready to run and not running
  kResident,
  kMajorFaults,
  kThread,  ///< its number, where the row is of a thread
  kParent,
  kLastCpu,
  kState,
  kCommand,
  kKernelWait,  ///< the function in the kernel that it sleeps in
  kSize,
  kUsed,
  kAvailable,
  kUsedShare,
  kInodesUsedShare,
  kSource,
  kType,
  kCpus,
  kSockets,
  kNodes,
  kHypervisor,
  kCpuList,
  kSpeed,        ///< bits per second
  kSpeedAble,    ///< the fastest mode that it supports
  kSpeedOfPeer,  ///< the fastest mode that the other end offers
  kDuplex,
  kUp,  ///< 1 or 0
  kDevice,
  kOwner,
  kThreads,
  kMhz,
  kMhzMax,
  kLoad,     ///< mean of runnable and blocked tasks over a minute
  kIoDelay,  ///< share of time waiting for block input or output
  kSwitches,
  kForcedSwitches,
  kSwapped,
};

/// What time the figures speak of.
enum class ReportSpan : unsigned char {
  kInterval,    ///< since the report before it
  kSinceStart,  ///< since boot, mount or start of the process: not of now
  kAverage,     ///< the tool's own mean over its reports
  kMoment,
};

struct HostValue {
  HostField field{};
  std::variant<double, std::string> value;
  friend bool operator==(const HostValue&, const HostValue&) = default;
};

struct HostRow {
  HostTable table{};
  ReportSpan span = ReportSpan::kMoment;
  std::string tool, file;
  std::string name;
  std::uint32_t line = 0;    ///< from 1
  std::uint32_t sample = 0;  ///< position among the rows of the same name in one output
  std::vector<HostValue> values;
  std::string text;  ///< the line, cut

  void Set(HostField field, double value) { values.push_back({field, value}); }
  void Set(HostField field, std::string value) { values.push_back({field, std::move(value)}); }
  [[nodiscard]] std::optional<double> Number(HostField field) const {
    for (const HostValue& one : values) {
      const double* number = one.field == field ? std::get_if<double>(&one.value) : nullptr;
      if (number != nullptr) return *number;
    }
    return std::nullopt;
  }
  /// Empty where it was not told.
  [[nodiscard]] std::string Text(HostField field) const {
    for (const HostValue& one : values) {
      const auto* word = one.field == field ? std::get_if<std::string>(&one.value) : nullptr;
      if (word != nullptr) return *word;
    }
    return {};
  }
  friend bool operator==(const HostRow&, const HostRow&) = default;
};

}  // namespace gpuwhy
