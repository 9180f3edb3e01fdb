#include "trace/classify.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"

namespace gpuwhy::trace {
namespace {}  // namespace

bool IsCommunicationKernel(std::string_view name) {
  constexpr std::array<std::string_view, 14> kParts = {
      "nccl",     "rccl",         "deep_ep",      "::ep::internode",    "::ep::intranode",
      "nvshmem",  "mscclpp",      "quickreduce",  "multimem_all",       "multimem_reduce",
      "symm_mem", "one_shot_all", "two_shot_all", "cross_device_reduce"};
  const std::string lower = Lower(name);
  return std::any_of(kParts.begin(), kParts.end(),
                     [&](std::string_view part) { return Holds(lower, part); });
}

Work CopyDirection(std::string_view name) {
  if (Holds(name, "HtoD") || Holds(name, "HostToDevice")) return Work::kH2D;
  if (Holds(name, "DtoH") || Holds(name, "DeviceToHost")) return Work::kD2H;
  if (Holds(name, "DtoD") || Holds(name, "DeviceToDevice")) return Work::kD2D;
  if (Holds(name, "PtoP") || Holds(name, "PeerToPeer")) return Work::kP2P;
  return Work::kMemcpyOther;
}

HostMemory CopyHostMemory(std::string_view name) {
  if (Holds(name, "Pageable")) return HostMemory::kPageable;
  if (Holds(name, "Pinned")) return HostMemory::kPinned;
  return HostMemory::kUnknown;
}

}  // namespace gpuwhy::trace
