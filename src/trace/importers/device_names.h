// Device work by the names that XProf and Chrome traces give it.
#pragma once

#include <cstdint>
#include <string_view>

#include "trace/timeline.h"

namespace gpuwhy::trace {

/// "MemcpyH2D" as well as "Memcpy HtoD (Pageable -> Device)"; memsets; communication; else compute.
/// ROCm copies by kernels (__amd_rocclr_copyBuffer): kMemcpyOther, the launch tells the direction.
[[nodiscard]] Work WorkByName(std::string_view name);
/// "size:112 dest:4 async:0", "kind_src:pageable ... num_bytes:4096 ...": the bytes; 0: not said.
[[nodiscard]] std::uint64_t BytesOfDetails(std::string_view details);
/// "kind_src:pageable kind_dst:device ...".
[[nodiscard]] HostMemory HostMemoryOfDetails(std::string_view details);
/// "/device:GPU:3" -> 3; "Stream #16(Kernel)" -> 16: the number behind mark; -1: there is none.
[[nodiscard]] std::int64_t NumberBehind(std::string_view text, std::string_view mark);
/// A launch's name as the driver has it: XProf calls launches after what they launch.
[[nodiscard]] std::string_view LaunchName(std::string_view name, std::string_view details);

}  // namespace gpuwhy::trace
