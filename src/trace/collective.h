// Kinds of collectives, by the names that traces give them.
#pragma once

#include <cstdint>
#include <string_view>

namespace gpuwhy::trace {

enum class CollectiveKind : unsigned char {
  kAllReduce,
  kAllGather,
  kReduceScatter,
  kAllToAll,
  kBroadcast,
  kReduce,
  kGather,
  kScatter,
  kSend,
  kReceive,
  kOther,  ///< barriers, and what the name does not tell: SendRecv kernels serve several kinds
};
[[nodiscard]] std::string_view Name(CollectiveKind kind);

/// By Kineto's "Collective name" ("_allgather_base") or a kernel's ("ncclDevKernel_AllReduce_...").
[[nodiscard]] CollectiveKind CollectiveKindOf(std::string_view name);

/// A message between two ranks, as between stages of a pipeline.
[[nodiscard]] constexpr bool IsPointToPoint(CollectiveKind kind) {
  return kind == CollectiveKind::kSend || kind == CollectiveKind::kReceive;
}

/// Bytes that nccl-tests counts for one call: what the whole group holds of it in the end or at
/// first, whichever is more. 0: not known. in, out: of one rank; 0: not recorded.
[[nodiscard]] std::int64_t CountedBytes(CollectiveKind kind, std::int64_t in, std::int64_t out,
                                        std::uint32_t group_size);
/// nccl-tests' bus bandwidth over its algorithm bandwidth: what the slowest link carries of each
/// byte. 0: not defined for this kind, or fewer than two ranks.
[[nodiscard]] double BusFactor(CollectiveKind kind, std::uint32_t group_size);

}  // namespace gpuwhy::trace
