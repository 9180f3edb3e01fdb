// Bandwidth tables: nccl-tests, CUDA's bandwidthTest and p2pBandwidthLatencyTest, nvbandwidth,
// perftest (ib_write_bw and its kin).
#pragma once

#include <string_view>
#include <vector>

#include "capture/pasted_logs.h"

namespace gpuwhy {

/// At most 64 tables of at most 4096 values, GB/s (10^9).
[[nodiscard]] std::vector<BandwidthTable> FindBandwidthTables(std::string_view text);

}  // namespace gpuwhy
