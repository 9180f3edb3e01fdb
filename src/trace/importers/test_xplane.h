// XPlane files made by hand, for tests: messages of Protocol Buffers, innermost first.
#pragma once

#include <cstdint>
#include <string>

namespace gpuwhy::trace {

inline std::string Number(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80U; value >>= 7U) bytes += static_cast<char>((value & 0x7FU) | 0x80U);
  return bytes + static_cast<char>(value);
}
inline std::string Field(int number, std::uint64_t value) {
  return Number(static_cast<std::uint64_t>(number) << 3U) + Number(value);
}
inline std::string Field(int number, const std::string& bytes) {
  return Number(static_cast<std::uint64_t>(number) << 3U | 2U) + Number(bytes.size()) + bytes;
}
// An entry of a map of metadata.
inline std::string Meta(int map, std::uint64_t id, const std::string& name) {
  return Field(map, Field(1, id) + Field(2, Field(1, id) + Field(2, name)));
}
inline std::string Event(std::uint64_t name, std::uint64_t offset_ps, std::uint64_t duration_ps,
                         const std::string& stats = {}) {
  return Field(4, Field(1, name) + Field(2, offset_ps) + Field(3, duration_ps) + stats);
}
inline std::string Stat(std::uint64_t name, std::uint64_t value) {
  return Field(4, Field(1, name) + Field(3, value));
}
inline std::string TextStat(std::uint64_t name, const std::string& text) {
  return Field(4, Field(1, name) + Field(5, text));
}

inline constexpr std::uint64_t kUs = 1'000'000;  // in picoseconds

inline std::string DevicePlane() {
  const std::string compute =
      Field(2, std::string("Stream #16(Compute)")) + Field(3, std::uint64_t{5000}) +
      Event(1, 10 * kUs, 4 * kUs, Stat(1, 7)) + Event(2, 20 * kUs, kUs, Stat(1, 8)) +
      Event(3, 30 * kUs, 2 * kUs, Stat(1, 9));
  const std::string copies =
      Field(2, std::string("Stream #17(MemcpyH2D)")) + Field(3, std::uint64_t{5000}) +
      Event(4, 0, 2 * kUs,
            Stat(1, 10) + TextStat(2, "kind_src:pageable kind_dst:device num_bytes:4096"));
  const std::string ops = Field(2, std::string("XLA Ops")) + Event(1, 10 * kUs, 4 * kUs);
  const std::string steps = Field(2, std::string("Steps")) + Field(3, std::uint64_t{5000}) +
                            Event(5, 0, 40 * kUs, TextStat(4, "12"));
  return Field(2, std::string("/device:GPU:3")) + Field(3, compute) + Field(3, copies) +
         Field(3, ops) + Field(3, steps) + Meta(4, 1, "gemm_fusion.kd") +
         Meta(4, 2, "ncclDevKernel_AllReduce") + Meta(4, 3, "__amd_rocclr_copyBuffer.kd") +
         Meta(4, 4, "MemcpyH2D") + Meta(4, 5, "5") + Meta(5, 1, "correlation_id") +
         Meta(5, 2, "memcpy_details") + Meta(5, 3, "core_count") + Meta(5, 4, "step_name") +
         Field(6, Field(1, std::uint64_t{3}) + Field(4, std::uint64_t{304}));
}

inline std::string HostPlane() {
  const std::string thread = Field(2, std::string("python")) + Field(3, std::uint64_t{4000}) +
                             Event(1, 0, 3 * kUs, Stat(1, 7)) + Event(2, 5 * kUs, kUs, Stat(1, 9)) +
                             Event(3, 0, 90 * kUs) + Event(4, kUs, 2 * kUs) + Event(5, 2 * kUs, 0);
  return Field(2, std::string("/host:CPU")) + Field(3, thread) + Meta(4, 1, "gemm_fusion.kd") +
         Meta(4, 2, "hipMemcpyDtoHAsync") + Meta(4, 3, "$threading.py:637 wait") +
         Meta(4, 4, "IteratorGetNext") + Meta(4, 5, "MemoryAllocation") +
         Meta(5, 1, "correlation_id");
}

inline std::string Space() { return Field(1, DevicePlane()) + Field(1, HostPlane()); }

}  // namespace gpuwhy::trace
