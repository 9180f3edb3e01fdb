// What kind of work a kernel does, by its name. Libraries change their names with every generation
// of devices: docs/trace-definitions.md says which patterns stand for what.
#pragma once

#include <cstddef>
#include <string_view>

namespace gpuwhy::trace {

enum class KernelClass : unsigned char {
  kMatmulTensor,  ///< matrix products and convolutions on tensor or matrix cores
  kMatmul,        ///< the same work without them
  kAttention,
  kNormalisation,
  kReduction,
  kLayout,  ///< transposes, copies, gathers, casts: work that only moves or converts
  kElementwise,
  kMemory,  ///< copies and memsets
  kCollective,
  kOther,
};
inline constexpr std::size_t kKernelClasses = 10;
[[nodiscard]] std::string_view Name(KernelClass kernel_class);

/// Of a compute kernel. Wrong where a kernel is named after something else than what it does, as
/// generated ones may be; unknown names are kOther.
[[nodiscard]] KernelClass ClassifyKernel(std::string_view kernel);

/// Does it only move or convert what is there: a cast, a transpose, a copy, a concatenation?
/// Gathers and scatters by index are work, and no reformatting.
[[nodiscard]] bool IsReformat(std::string_view kernel);

/// Products that run beside the tensor cores, where the name proves it.
enum class PlainProduct : unsigned char {
  kNone,
  kFp32BesideTf32,  ///< FP32, built for a device that has TF32 (Ampere and later)
  kHalf,            ///< half precision, built for a device that has tensor cores (Volta and later)
};
[[nodiscard]] PlainProduct PlainProductOf(std::string_view kernel);

}  // namespace gpuwhy::trace
