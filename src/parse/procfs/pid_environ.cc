#include "parse/procfs/pid_environ.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace gpuwhy {
namespace {

// Sorted. No name whose value could be somebody's secret: no addresses, no paths.
constexpr std::string_view kKnown[] = {"CUDA_DEVICE_MAX_CONNECTIONS",
                                       "CUDA_DEVICE_ORDER",
                                       "CUDA_LAUNCH_BLOCKING",
                                       "CUDA_MODULE_LOADING",
                                       "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
                                       "CUDA_VISIBLE_DEVICES",
                                       "GOMP_CPU_AFFINITY",
                                       "KMP_AFFINITY",
                                       "MKL_NUM_THREADS",
                                       "NCCL_ALGO",
                                       "NCCL_BLOCKING_WAIT",
                                       "NCCL_BUFFSIZE",
                                       "NCCL_COLLNET_ENABLE",
                                       "NCCL_CROSS_NIC",
                                       "NCCL_DEBUG",
                                       "NCCL_IB_DISABLE",
                                       "NCCL_IB_HCA",
                                       "NCCL_IGNORE_CPU_AFFINITY",
                                       "NCCL_MAX_NCHANNELS",
                                       "NCCL_MIN_NCHANNELS",
                                       "NCCL_NET_GDR_LEVEL",
                                       "NCCL_NTHREADS",
                                       "NCCL_NVLS_ENABLE",
                                       "NCCL_P2P_DISABLE",
                                       "NCCL_P2P_LEVEL",
                                       "NCCL_PROTO",
                                       "NCCL_SHM_DISABLE",
                                       "NCCL_SOCKET_IFNAME",
                                       "NVIDIA_DRIVER_CAPABILITIES",
                                       "NVIDIA_TF32_OVERRIDE",
                                       "NVIDIA_VISIBLE_DEVICES",
                                       "OMP_NUM_THREADS",
                                       "OMP_PLACES",
                                       "OMP_PROC_BIND",
                                       "OPENBLAS_NUM_THREADS",
                                       "PYTORCH_CUDA_ALLOC_CONF",
                                       "PYTORCH_NO_CUDA_MEMORY_CACHING",
                                       "TORCH_NCCL_BLOCKING_WAIT"};

constexpr std::size_t kLongestValue = 128;

bool IsPlain(std::string_view value) {
  constexpr std::string_view kMarks = "_.,:;+-^={}()[]/ ";
  return value.size() <= kLongestValue && std::all_of(value.begin(), value.end(), [&](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  Holds(kMarks, std::string_view(&c, 1));
         });
}

}  // namespace

std::vector<Variable> KnownVariables(std::string_view text, char separator) {
  std::vector<Variable> found;
  while (!text.empty()) {
    std::string_view rest = NextToken(text, separator);
    if (separator == '\n') rest = Trim(rest.substr(0, rest.find('#')));
    const bool set = Holds(rest, "=");
    std::string_view name = NextToken(rest, '=');
    if (separator == '\n') name = Trim(name);
    if (!set || !std::binary_search(std::begin(kKnown), std::end(kKnown), name)) continue;
    const bool again = std::any_of(found.begin(), found.end(),
                                   [&](const Variable& one) { return one.name == name; });
    if (!again && IsPlain(rest)) found.push_back({std::string(name), std::string(Trim(rest))});
  }
  std::sort(found.begin(), found.end(),
            [](const Variable& a, const Variable& b) { return a.name < b.name; });
  return found;
}

std::string AsLines(const std::vector<Variable>& variables) {
  std::string lines;
  for (const Variable& variable : variables) lines += variable.name + "=" + variable.value + "\n";
  return lines;
}

}  // namespace gpuwhy
