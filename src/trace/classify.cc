#include "trace/classify.h"

#include <algorithm>
#include <array>
#include <string>

namespace gpuwhy::trace {
namespace {

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

bool IsCommunicationKernel(std::string_view name) {
  constexpr std::array<std::string_view, 14> kParts = {
      "nccl",     "rccl",         "deep_ep",      "::ep::internode",    "::ep::intranode",
      "nvshmem",  "mscclpp",      "quickreduce",  "multimem_all",       "multimem_reduce",
      "symm_mem", "one_shot_all", "two_shot_all", "cross_device_reduce"};
  const std::string lower = Lower(name);
  return std::any_of(kParts.begin(), kParts.end(),
                     [&](std::string_view part) { return Has(lower, part); });
}

Work CopyDirection(std::string_view name) {
  if (Has(name, "HtoD") || Has(name, "HostToDevice")) return Work::kH2D;
  if (Has(name, "DtoH") || Has(name, "DeviceToHost")) return Work::kD2H;
  if (Has(name, "DtoD") || Has(name, "DeviceToDevice")) return Work::kD2D;
  if (Has(name, "PtoP") || Has(name, "PeerToPeer")) return Work::kP2P;
  return Work::kMemcpyOther;
}

HostMemory CopyHostMemory(std::string_view name) {
  if (Has(name, "Pageable")) return HostMemory::kPageable;
  if (Has(name, "Pinned")) return HostMemory::kPinned;
  return HostMemory::kUnknown;
}

}  // namespace gpuwhy::trace
