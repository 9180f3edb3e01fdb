// What logs and command outputs said that somebody handed in as text: training logs, messages of
// drivers, containers and libraries, profiler tables, memory errors, bandwidth tables, host tools.
// Plain data; parse/logs/ fills it, derive/ reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpuwhy {

/// A line as it stands in the input, cut to a bounded length; lines count from 1.
struct QuotedLine {
  std::uint32_t line = 0;
  std::string text;
  friend bool operator==(const QuotedLine&, const QuotedLine&) = default;
};

/// What a message says by itself, whoever printed it.
enum class Statement : unsigned char {
  kFabricNotReady,       ///< CUDA: system not ready
  kFabricManagerFailed,  ///< the fabric manager's service failed or is dead
  kFabricNothingToDo,    ///< fabric manager: no switch to manage
  kGraphicsCard,         ///< names a board that has no NVSwitch
  kSwitchBoard,          ///< names a board of an NVSwitch system
  kNvmlUnknownError,     ///< device access refused to a running container
  kDriverTooOld,         ///< software asks for a newer driver
  kLibraryMismatch,      ///< user-space library and module differ
  kDriverNotLoaded,      ///< no answer from the kernel driver
  kKeyRejected,          ///< a module's signature was refused
  kModuleBuildFailed,    ///< the module could not be built or loaded for this kernel
  kNouveau,              ///< nouveau holds the device
  kCudaBroken,           ///< devices there, CUDA does not initialise
  kLibcudaMissing,       ///< no CUDA driver library
  kLibraryMissing,       ///< a library of the framework does not load
  kContainerNoGpu,       ///< started without GPUs or without the runtime
  kUnknownDevice,        ///< a GPU was asked for that is not there
  kUvmMissing,           ///< nvidia_uvm is not loaded
  kFallenOffBus,         ///< a GPU no longer answers on the bus
  kGspTimeout,           ///< the GPU's firmware does not answer
  kRendezvous,           ///< ranks missing before any collective
  kCollectiveTimeout,    ///< a collective ran into its time-out
  kPeerUnreachable,      ///< a peer refuses, drops or does not answer
  kGdrDisabled,          ///< NCCL: direct access of NIC to GPU memory is off
  kChannelGdr,           ///< a channel over the fabric with direct access
  kChannelNoGdr,         ///< a channel over the fabric through host memory
  kSocketUsed,           ///< NCCL uses TCP
  kIbDisabled,           ///< NCCL was told to leave InfiniBand alone
  kNoIbDevice,           ///< NCCL found no InfiniBand or RoCE device
  kVirtualInterface,     ///< NCCL took a bridge or container interface
  kConnectTimeout,       ///< NCCL: a connect timed out or was refused
  kRecompiling,          ///< a compiler gives up on too many variants
  kMemcgKill,            ///< the kernel killed a process for memory
  kKilledProcess,        ///< which one
  kHungTask,             ///< a task was blocked for minutes
  kNfsNotResponding,     ///< an NFS server does not answer
  kRpcWait,              ///< a stack that waits for NFS
  kXidCause,             ///< Xid of the hardware
  kXidApplication,       ///< Xid that a program causes
  kXidVictim,            ///< Xid that only follows from another
  kScaleLowered,         ///< the loss scaler halved its scale
  kLoaderWorkersFew,     ///< a loader without, or with one, worker
  kShuffleFilling,       ///< a shuffle buffer is being filled
  kShmTooSmall,          ///< bus error of loader workers: /dev/shm
  kThreadsOne,           ///< OMP_NUM_THREADS or kin is 1
  kLaunchBlocking,       ///< CUDA_LAUNCH_BLOCKING=1
  kLoaderGet,            ///< a stack that waits for a loader's batch
  kGlobalLockWait,       ///< a stack that waits for a lock
  kCollectiveStack,      ///< a stack inside a collective
  kPartlyOnCpu,          ///< layers of a model run on the CPU
  kCpuBuild,             ///< a framework built without CUDA
  kDataCorruption,       ///< a collective gave wrong results
  kAerError,             ///< the PCIe link reports errors
  kEcc,                  ///< uncorrectable memory error
  kXidReset,             ///< an Xid after which the device wants a reset
  kXidLink,              ///< an Xid of NVLink
  kXidRemapFailed,       ///< no spare row was left
  kXidMemory,            ///< an Xid of an uncorrectable memory error
  kXidBus,               ///< the device no longer answers on the bus
  kXidRecovery,          ///< the driver names a recovery action
  kNumbersBroke,  ///< a framework ended or gave up because of NaN or a loss scale at its floor
  kCrashed,       ///< a process ended by a signal or an abort
  kFabricUsed,    ///< NCCL uses InfiniBand or RoCE
  kP2pDisabled,   ///< NCCL: no direct access between GPUs of a host
  kNcclSetting,   ///< a setting turns a path of NCCL inside the host off
  kIbDevice,      ///< NCCL found an RDMA device
  kProgramFault,  ///< CUDA: a kernel did something illegal
  kNoDevice,      ///< CUDA: no device to be seen
  kNcclFailed,    ///< NCCL: an error of the system or of CUDA that it does not name
  kLoaderDied,    ///< a worker of the loader ended by itself
  kManyWorkers,   ///< more workers of the loader than CPUs
  kDevicesBusy,   ///< CUDA: the devices that were asked for can't be used now
  kCount
};

/// One statement and the first lines that made it.
struct StatementSeen {
  Statement statement = Statement::kCount;
  std::uint64_t count = 0;
  std::vector<QuotedLine> quotes;  ///< the first four and the last
  friend bool operator==(const StatementSeen&, const StatementSeen&) = default;
};

/// Numbers in order of appearance, thinned evenly to a bounded number; the totals count all.
struct NumberSeries {
  std::uint64_t count = 0;
  double sum = 0, min = 0, max = 0, first = 0, last = 0;
  std::uint64_t stride = 1;  ///< every stride-th number is kept
  std::vector<double> points;
  friend bool operator==(const NumberSeries&, const NumberSeries&) = default;
};

/// A named part of the step.
enum class PhaseKind : unsigned char {
  kForward,
  kBackward,
  kOptimizer,
  kInput,
  kCommunication,
  kPipeline,
  kOther,
  kEvaluation
};
struct PhaseTime {
  std::string name;  ///< as printed
  PhaseKind kind = PhaseKind::kOther;
  NumberSeries seconds;
  friend bool operator==(const PhaseTime&, const PhaseTime&) = default;
};

/// The largest fall of a stated rate from one print to the next.
struct RateDrop {
  double from = 0, to = 0;
  double at_step = 0;  ///< 0: not known
  QuotedLine before, after;
  friend bool operator==(const RateDrop&, const RateDrop&) = default;
};

/// Means since the start of an epoch, as printed at one step.
struct RunningMeans {
  double index = 0, step_s = 0, data_s = 0;
  friend bool operator==(const RunningMeans&, const RunningMeans&) = default;
};

/// A log of a training or inference loop.
struct TrainingLog {
  std::uint64_t lines = 0, step_lines = 0;
  NumberSeries step_s, data_s;  ///< of lines that name them; data_s only where both are there
  NumberSeries data_step_s;     ///< step times of the lines that name a data time
  std::optional<double> mean_step_s, mean_data_s;       ///< the last printed running means
  std::optional<RunningMeans> first_means, last_means;  ///< of the last epoch with means
  std::uint64_t spanned_steps = 0;  ///< counted on from one line with a step time to the next
  std::uint64_t data_over_step =
      0;                      ///< lines whose data time exceeds the step: it is not part of it
  NumberSeries stamp_step_s;  ///< seconds per step by the lines' own time stamps
  NumberSeries rate;          ///< stated rate
  std::string rate_unit;
  bool rate_running_mean = false;  ///< by its own words
  RateDrop rate_drop;
  NumberSeries epoch_s;
  NumberSeries loss, grad_norm;              ///< finite values
  std::uint64_t loss_bad = 0, grad_bad = 0;  ///< NaN or infinite
  NumberSeries loss_scale;
  std::vector<PhaseTime> phases;
  NumberSeries phase_step_s;  ///< step time of the lines with phases
  std::optional<double> first_step, last_step, total_steps;
  std::uint64_t skipped_iterations = 0;
  std::vector<QuotedLine> bad_quotes;  ///< first lines with NaN
  QuotedLine slowest, slowest_data, last_line, means_line, phases_line;
  friend bool operator==(const TrainingLog&, const TrainingLog&) = default;
};

/// An allocation that a framework's allocator refused. Bytes; absent where the message lacks it.
struct RefusedAllocation {
  QuotedLine quote;
  std::optional<double> request, total, free, allocated, reserved, unallocated, in_process;
  std::vector<double> listed;  ///< "Process 12 has ... in use": its own among them, or not
  friend bool operator==(const RefusedAllocation&, const RefusedAllocation&) = default;
};

struct ProfilerRow {
  QuotedLine quote;
  std::string name;
  std::optional<double> self_cpu_s, cpu_total_s, self_device_s, self_cpu_share, cpu_share;
  friend bool operator==(const ProfilerRow&, const ProfilerRow&) = default;
};
/// A table of a framework's profiler. Seconds.
struct ProfilerTable {
  std::string kind;               ///< "torch" or "lightning"
  std::vector<ProfilerRow> rows;  ///< at most 512
  std::optional<double> cpu_total_s, device_total_s, total_s;
  std::vector<QuotedLine> totals;
  friend bool operator==(const ProfilerTable&, const ProfilerTable&) = default;
};

/// Bandwidths of one table, GB/s.
struct BandwidthTable {
  std::string tool;           ///< "nccl-tests", "bandwidthTest", "p2p", "nvbandwidth", "perftest"
  std::string what;           ///< "H2D", "p2p-disabled", ...
  std::string binding;        ///< the numactl arguments of the command, as written
  std::vector<double> sizes;  ///< bytes, where the table has them
  std::vector<double> values;
  std::vector<QuotedLine> quotes;
  std::uint64_t wrong = 0;  ///< results that differed from what they should be
  friend bool operator==(const BandwidthTable&, const BandwidthTable&) = default;
};

struct IbPort {
  std::string device, state, physical, layer, type;
  double rate = 0;
  QuotedLine quote;
  friend bool operator==(const IbPort&, const IbPort&) = default;
};

/// A pressure file: shares of time, 0..1.
struct PressureText {
  std::string resource;  ///< from the file's name: "memory", "io", "cpu"; empty where unknown
  double some10 = 0, some60 = 0, some300 = 0;
  std::optional<double> full10, full60, full300;
  std::vector<QuotedLine> quotes;
  friend bool operator==(const PressureText&, const PressureText&) = default;
};

/// Used memory over repeated outputs of free, bytes.
struct MemoryTrend {
  std::vector<double> used, available;
  std::vector<double> swap_used;
  std::vector<QuotedLine> quotes;
  friend bool operator==(const MemoryTrend&, const MemoryTrend&) = default;
};

struct EnvironmentReport {
  std::string framework_version, cuda_built, driver_version;
  std::optional<bool> cuda_available;
  std::vector<QuotedLine> quotes;
  friend bool operator==(const EnvironmentReport&, const EnvironmentReport&) = default;
};

struct DeviceListText {  ///< of a device cgroup
  bool lists_gpus = false, may_use_gpus = false;
  std::vector<QuotedLine> quotes;
  friend bool operator==(const DeviceListText&, const DeviceListText&) = default;
};

/// A CPU mask before and after, in CPUs.
struct AffinityChange {
  std::size_t before = 0, after = 0;
  std::vector<QuotedLine> quotes;
  friend bool operator==(const AffinityChange&, const AffinityChange&) = default;
};

/// Equal small processes of one program beside a large one of it on the same GPU.
struct StrayContexts {
  std::size_t count = 0;
  std::vector<QuotedLine> quotes;
  friend bool operator==(const StrayContexts&, const StrayContexts&) = default;
};

/// All that was read out of one text.
struct LogText {
  std::string name;  ///< of the input, as given
  std::vector<StatementSeen> statements;
  std::optional<TrainingLog> training;
  std::vector<RefusedAllocation> refused;
  std::vector<ProfilerTable> profiles;
  std::vector<BandwidthTable> bandwidths;
  std::vector<IbPort> ports;
  std::vector<PressureText> pressures;
  std::optional<MemoryTrend> memory;
  std::optional<EnvironmentReport> environment;
  std::optional<DeviceListText> devices;
  std::optional<AffinityChange> affinity;
  std::optional<StrayContexts> stray;
  std::optional<QuotedLine> peermem_absent;  ///< the search that did not find the module
  std::optional<QuotedLine> since_boot;      ///< the heading of a report of means since boot
  std::string summary_tool;  ///< "jobstats", "seff", "iostat", "vmstat", ...: read, without a claim
  friend bool operator==(const LogText&, const LogText&) = default;
};

struct PastedLogs {
  std::vector<LogText> texts;  ///< one an input
  friend bool operator==(const PastedLogs&, const PastedLogs&) = default;
};

}  // namespace gpuwhy
