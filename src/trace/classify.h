// What a device event is, by what traces call it. Pure functions of names; the traps are in
// docs/trace-definitions.md.
#pragma once

#include <string_view>

#include "trace/timeline.h"

namespace gpuwhy::trace {

/// Is this kernel a collective or a peer transfer? Wider than nccl|rccl: vLLM's and SGLang's custom
/// all-reduces, DeepEP, NVSHMEM, MSCCL++ and symmetric-memory kernels do communication too. Case
/// does not matter.
[[nodiscard]] bool IsCommunicationKernel(std::string_view name);
/// Direction of a copy by its name: "Memcpy HtoD (Pageable -> Device)", "CopyHostToDevice", ...
[[nodiscard]] Work CopyDirection(std::string_view name);
/// "Memcpy HtoD (Pageable -> Device)" names the kind of host memory.
[[nodiscard]] HostMemory CopyHostMemory(std::string_view name);

}  // namespace gpuwhy::trace
