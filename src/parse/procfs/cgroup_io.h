// Input limits of a cgroup and what it has read: io.max and io.stat (version 2), blkio.throttle.*
// (version 1).
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "base/reading.h"
#include "capture/samples.h"

namespace gpuwhy {

struct CgroupIoLine {
  Reading<std::uint64_t> read_ops_limit,
      read_bytes_limit;  ///< per second; Missing{kNotPresent}: none
  Reading<std::uint64_t> reads, read_bytes;
};

using CgroupIoByDevice = std::map<DeviceNumber, CgroupIoLine>;

/// io.max: "254:0 rbps=max wbps=max riops=100 wiops=max". "max" is no limit. Adds to devices.
void ParseIoMax(std::string_view text, CgroupIoByDevice& devices);
/// io.stat: "254:0 rbytes=1 wbytes=2 rios=3 wios=4 ...". Only of devices that are already there.
void ParseIoStat(std::string_view text, CgroupIoByDevice& devices);

enum class BlkioFile : unsigned char { kReadOpsLimit, kReadBytesLimit, kServiced, kServiceBytes };
/// Version 1. Limits: "254:0 100", added to devices; counters: "254:0 Read 12", of devices that are
/// already there.
void ParseBlkio(BlkioFile file, std::string_view text, CgroupIoByDevice& devices);

}  // namespace gpuwhy
