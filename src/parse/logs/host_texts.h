// What host tools and files print: ibstat, /proc/pressure, free, collect_env, a device cgroup's
// list, and which of the tools that only give averages a text came from.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/pasted_logs.h"

namespace gpuwhy {

/// At most 256 ports.
[[nodiscard]] std::vector<IbPort> FindIbPorts(std::string_view text);
/// One for each "some" line, at most 64. name: of the file, which says which resource it is where
/// the text does not.
[[nodiscard]] std::vector<PressureText> ParsePressureTexts(std::string_view text,
                                                           std::string_view name);
/// Outputs of free one after the other, bytes; nullopt where there is none.
[[nodiscard]] std::optional<MemoryTrend> ParseFreeOutputs(std::string_view text);
[[nodiscard]] std::optional<EnvironmentReport> ParseCollectEnv(std::string_view text);
[[nodiscard]] std::optional<DeviceListText> ParseDeviceList(std::string_view text);
/// "jobstats", "seff", "iostat", "vmstat", "nfsiostat", "mpstat", "cprofile"; empty for others.
[[nodiscard]] std::string RecogniseSummaryTool(std::string_view text);

}  // namespace gpuwhy
