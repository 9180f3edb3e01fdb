// What pasted outputs of other tools say, raw: each value with the file and line it stands in. No
// interpretation here; derive/pasted*.cc makes facts of it. Not in recordings (format.md).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/reading.h"
#include "capture/pasted_host.h"
#include "capture/pasted_logs.h"

namespace gpuwhy {

/// Where a pasted value was read.
struct Place {
  std::string file;
  std::uint32_t line = 0;  ///< from 1
  friend bool operator==(const Place&, const Place&) = default;
};

/// What a tool or the driver may say of one GPU, whatever the layout it says it in. Stored in
/// recordings: append only, and name the last one in kLastGpuField.
enum class GpuField : unsigned char {
  kName,
  kUuid,
  kDriver,
  kCuda,
  kPersistence,  ///< bool
  kMigMode,      ///< bool
  kDisplay,      ///< bool: a display is on it
  kPstate,       ///< text: "P8"
  kUtilization,  ///< percent, as all loads
  kMemoryUtilization,
  kEncoder,
  kDecoder,
  kJpeg,
  kOpticalFlow,
  kMemoryUsed,  ///< MiB
  kMemoryTotal,
  kBar1Used,
  kBar1Total,
  kTemperature,  ///< Celsius
  kTemperatureSlowdown,
  kTemperatureMargin,  ///< Celsius left until it slows down
  kFan,                ///< percent
  kPower,              ///< W
  kPowerLimit,         ///< enforced or current
  kPowerLimitDefault,
  kPowerLimitMin,
  kPowerLimitMax,
  kSmClock,  ///< MHz
  kMemoryClock,
  kAppSmClock,
  kDefaultSmClock,
  kMaxSmClock,
  kMaxMemoryClock,
  kReasonIdle,  ///< bool: clock event reasons
  kReasonApplications,
  kReasonPowerCap,
  kReasonHwSlowdown,
  kReasonHwThermal,
  kReasonPowerBrake,
  kReasonSyncBoost,
  kReasonSwThermal,
  kReasonDisplay,
  kCounterPowerCap,  ///< seconds since the driver was loaded
  kCounterSyncBoost,
  kCounterSwThermal,
  kCounterHwThermal,
  kCounterPowerBrake,
  kLinkGen,
  kLinkGenMax,        ///< the lower of device and host
  kLinkGenDeviceMax,  ///< the card's own
  kLinkGenHostMax,
  kLinkWidth,
  kLinkWidthMax,
  kPcieReplays,
  kPcieRx,  ///< B/s
  kPcieTx,
  kEccMode,  ///< bool
  kEccVolatileCorrected,
  kEccVolatileUncorrected,
  kEccAggregateCorrected,
  kEccAggregateUncorrected,
  kRetiredSingle,
  kRetiredDouble,
  kRetiredPending,  ///< bool
  kRemapCorrectable,
  kRemapUncorrectable,
  kRemapPending,  ///< bool
  kRemapFailed,   ///< bool
  kRecoveryAction,
  kFabricState,
  kFabricStatus,
  kComputeMode,
  kUnreadable,      ///< text: the name of a sensor that the driver could not read
  kInforomCorrupt,  ///< bool
  kTimestamp,
  kNvlinkActive,  ///< links of the GPU that are up
  kNvlinkInactive,
  kNvlinkErrors,  ///< summed over its links
  kProcesses,     ///< that compute on it
  kMigSlices,     ///< instances that it is cut into
  kTemperatureShutdown,
  kTemperatureMemoryMax,
  kSmActive,      ///< percent of the multiprocessors' time, counted by the GPU itself (GPM)
  kTensorActive,  ///< percent
  kDramActive,    ///< percent of the memory's bandwidth
  kDriverStart,   ///< seconds that the library took to start; of no one device
};
inline constexpr GpuField kLastGpuField = GpuField::kDriverStart;

using PastedValue = std::variant<double, bool, std::string>;

struct GpuValue {
  GpuField field{};
  Reading<PastedValue> value;
  std::uint32_t line = 0;
  friend bool operator==(const GpuValue&, const GpuValue&) = default;
};

/// One look of one tool at one GPU.
struct GpuLook {
  std::string file, reader;  ///< reader: the format's name
  std::string uuid, bus_id;  ///< as written; empty: not told
  std::int32_t index = -1;   ///< as numbered by the tool; -1: not told
  std::uint32_t line = 0;
  std::uint32_t sample = 0;  ///< position in a series of looks of one output
  bool mig = false;          ///< a slice, not the whole GPU
  std::vector<GpuValue> values;
  friend bool operator==(const GpuLook&, const GpuLook&) = default;
};

/// A process that a tool lists on a GPU.
struct GpuProcess {
  Place place;
  std::string reader;
  std::int32_t gpu = -1;
  std::string gpu_id;  ///< uuid or bus id, where told
  std::int32_t pid = 0;
  std::int32_t mig_instance = -1;
  std::string type, name;
  Reading<double> memory;  ///< MiB
  Reading<double> sm, encoder, decoder;
  friend bool operator==(const GpuProcess&, const GpuProcess&) = default;
};

/// What the process list of an output said as a whole.
struct ProcessTableSeen {
  Place place;
  bool none = false;  ///< it says that there are none
  bool container = false;
  friend bool operator==(const ProcessTableSeen&, const ProcessTableSeen&) = default;
};

/// A device of lspci -vv.
struct PciDevice {
  Place place;
  std::string address, description;
  bool gpu = false, bridge = false, nvidia = false, root_port = false;
  Reading<double> speed_able, speed_now;  ///< GT/s
  Reading<double> width_able, width_now;
  bool downgraded = false;
  std::uint32_t cap_line = 0, status_line = 0;
  Reading<bool> acs_redirect;
  std::uint32_t acs_line = 0;
  std::string acs_text, driver;
  std::int32_t bus_first = -1, bus_last = -1;  ///< buses behind a bridge
  friend bool operator==(const PciDevice&, const PciDevice&) = default;
};

/// The matrix of topo -m.
struct TopoMatrix {
  Place place;
  std::vector<std::string> columns;
  std::vector<std::string> rows;
  std::vector<std::vector<std::string>> cells;  ///< [row][column]
  friend bool operator==(const TopoMatrix&, const TopoMatrix&) = default;
};

/// Links of one GPU, from nvlink -s and -e.
struct NvlinkGpu {
  Place place;
  std::int32_t gpu = -1;
  std::string name, uuid;
  std::uint32_t active = 0, inactive = 0;
  std::vector<double> speeds;  ///< GB/s of the active ones
  double errors = 0;           ///< sum of the error counters, where listed
  bool counted = false;
  friend bool operator==(const NvlinkGpu&, const NvlinkGpu&) = default;
};

/// A sentence of a tool or of the kernel whose meaning is known.
struct PastedMessage {
  Place place;
  std::string kind;  ///< "smi.driver-mismatch", "smi.inforom", ...
  std::string text;  ///< the line, cut
  std::string subject;
  Reading<double> number;
  friend bool operator==(const PastedMessage&, const PastedMessage&) = default;
};

struct Pasted {
  std::vector<GpuLook> gpus;
  std::vector<GpuProcess> processes;
  std::vector<ProcessTableSeen> process_tables;
  std::vector<PciDevice> pci;
  std::vector<TopoMatrix> topos;
  std::vector<NvlinkGpu> nvlinks;
  std::vector<PastedMessage> messages;
  std::vector<PastedMessage> modules;  ///< subject: a loaded kernel module
  PastedLogs logs;
  std::vector<HostRow> host;
  bool any = false;  ///< the capture was made of pasted outputs
  friend bool operator==(const Pasted&, const Pasted&) = default;
};

}  // namespace gpuwhy
