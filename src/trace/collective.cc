#include "trace/collective.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace gpuwhy::trace {
namespace {

struct Pattern {
  std::string_view text;
  CollectiveKind kind;
};

// Without "_", in small letters. The first that is found: reducescatter holds both reduce and
// scatter. NCCL calls its kernel for messages and for all-to-all alike SendRecv.
constexpr std::array<Pattern, 12> kPatterns = {{
    {"sendrecv", CollectiveKind::kOther},
    {"allreduce", CollectiveKind::kAllReduce},
    {"allgather", CollectiveKind::kAllGather},
    {"reducescatter", CollectiveKind::kReduceScatter},
    {"alltoall", CollectiveKind::kAllToAll},
    {"broadcast", CollectiveKind::kBroadcast},
    {"reduce", CollectiveKind::kReduce},
    {"gather", CollectiveKind::kGather},
    {"scatter", CollectiveKind::kScatter},
    {"send", CollectiveKind::kSend},
    {"recv", CollectiveKind::kReceive},
    {"receive", CollectiveKind::kReceive},
}};

}  // namespace

std::string_view Name(CollectiveKind kind) {
  constexpr std::array<std::string_view, 11> kNames = {
      "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "reduce",
      "gather",     "scatter",    "send",           "recv",       "other"};
  return kNames.at(static_cast<std::size_t>(kind));
}

CollectiveKind CollectiveKindOf(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c != '_') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  const auto* it = std::find_if(kPatterns.begin(), kPatterns.end(), [&](const Pattern& pattern) {
    return plain.find(pattern.text) != std::string::npos;
  });
  return it == kPatterns.end() ? CollectiveKind::kOther : it->kind;
}

std::int64_t CountedBytes(CollectiveKind kind, std::int64_t in, std::int64_t out,
                          std::uint32_t group_size) {
  constexpr std::int64_t kMost = std::int64_t{1} << 50U;
  const auto ranks = static_cast<std::int64_t>(group_size);
  if (in < 0 || out < 0 || in > kMost || out > kMost || ranks > (1 << 12)) return 0;
  switch (kind) {
    case CollectiveKind::kAllGather:
    case CollectiveKind::kGather:
      return out > in ? out : in * ranks;
    case CollectiveKind::kReduceScatter:
    case CollectiveKind::kScatter:
      return in > out ? in : out * ranks;
    default:
      return std::max(in, out);
  }
}

double BusFactor(CollectiveKind kind, std::uint32_t group_size) {
  if (group_size < 2) return 0;
  const double n = group_size;
  switch (kind) {
    case CollectiveKind::kAllReduce:
      return 2 * (n - 1) / n;
    case CollectiveKind::kAllGather:
    case CollectiveKind::kReduceScatter:
    case CollectiveKind::kAllToAll:
    case CollectiveKind::kGather:
    case CollectiveKind::kScatter:
      return (n - 1) / n;
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kReduce:
    case CollectiveKind::kSend:
    case CollectiveKind::kReceive:
      return 1;
    case CollectiveKind::kOther:
      return 0;
  }
  return 0;
}

}  // namespace gpuwhy::trace
