#include "trace/kernel_class.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "base/text.h"

namespace gpuwhy::trace {
namespace {

using Words = std::span<const std::string_view>;

// Matched in lower case, the first list that matches decides, in the order below.
constexpr std::array<std::string_view, 9> kAttention = {
    "fmha",         "flash_fwd",      "flash_bwd", "flash::",   "flashattn",
    "paged_attent", "mha_fwd_kernel", "attention", "flashinfer"};
// Fused with a matrix product in their name, but themselves no product.
constexpr std::array<std::string_view, 4> kSplitKReduce = {"splitkreduce", "splitk_reduce",
                                                           "reduce_kernel", "reducesplitk"};
constexpr std::array<std::string_view, 22> kTensor = {
    "hmma",     "imma",     "884",          "1688",          "16816",     "tensorop",
    "tensor16", "wgmma",    "nvjet",        "gemmuniversal", "xmma_gemm", "xmma_implicit_gemm",
    "mfma",     "_mi16x16", "_mi32x32",     "mt_mi",         "deep_gemm", "fp8_gemm",
    "utcmma",   "tcgen05",  "warp_special", "xmma_warp"};
constexpr std::array<std::string_view, 11> kProduct = {
    "gemm",  "gemv",     "matmul",  "cijk_",      "conv", "dgrad",
    "wgrad", "winograd", "cutlass", "dot_kernel", "bmm_"};
constexpr std::array<std::string_view, 8> kNorm = {"layer_norm", "layernorm",  "rmsnorm",
                                                   "rms_norm",   "batch_norm", "batchnorm",
                                                   "bn_fw",      "groupnorm"};
constexpr std::array<std::string_view, 3> kNormMore = {"group_norm", "bn_bw", "rowwisemoments"};
constexpr std::array<std::string_view, 16> kLayoutWords = {
    "transpose",   "nchwtonhwc",    "nhwctonchw", "permute",         "copy_kernel", "catarray",
    "direct_copy", "gather",        "scatter",    "index_elem",      "indexselect", "index_select",
    "convert",     "unrolled_cast", "im2col",     "tensor_transform"};
constexpr std::array<std::string_view, 8> kReduce = {"reduce", "softmax", "argmax", "cumsum",
                                                     "scan",   "topk",    "sort",   "loss"};
constexpr std::array<std::string_view, 7> kElement = {
    "elementwise", "multi_tensor_apply", "pointwise",   "dropout",
    "adam",        "fillfunctor",        "distribution"};

bool HasAny(std::string_view text, Words words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

// "bmm_Bfloat16_E4m3_..._t128x64x256": a Blackwell product names the tile of its tensor core.
bool NamesATile(std::string_view name) {
  const std::size_t at = name.find("_t128x");
  return at != std::string_view::npos || name.find("_t64x") != std::string_view::npos;
}

// Triton's generated kernels: triton_poi_ pointwise, triton_red_ and triton_per_ reductions,
// triton_tem_ templates, which are products.
KernelClass OfTriton(std::string_view name) {
  if (name.starts_with("triton_poi")) return KernelClass::kElementwise;
  if (name.starts_with("triton_red") || name.starts_with("triton_per"))
    return KernelClass::kReduction;
  return name.starts_with("triton_tem") ? KernelClass::kMatmulTensor : KernelClass::kOther;
}

}  // namespace

std::string_view Name(KernelClass kernel_class) {
  constexpr std::array<std::string_view, kKernelClasses> kNames = {
      "matmul_tensor", "matmul",      "attention", "normalisation", "reduction",
      "layout",        "elementwise", "memory",    "collective",    "other"};
  return kNames.at(static_cast<std::size_t>(kernel_class));
}

KernelClass ClassifyKernel(std::string_view kernel) {
  const std::string name = Lower(kernel);
  if (name.starts_with("triton_")) return OfTriton(name);
  if (HasAny(name, kAttention) && !HasAny(name, kSplitKReduce)) return KernelClass::kAttention;
  const bool reduces = HasAny(name, kSplitKReduce);
  if (!reduces && (HasAny(name, kProduct) || HasAny(name, kTensor))) {
    // "convert" and "nchwToNhwc" hold "conv" and stand beside convolutions: layout first.
    const bool moves = HasAny(name, kLayoutWords) && !HasAny(name, kTensor);
    if (moves) return KernelClass::kLayout;
    return HasAny(name, kTensor) || NamesATile(name) ? KernelClass::kMatmulTensor
                                                     : KernelClass::kMatmul;
  }
  if (HasAny(name, kNorm) || HasAny(name, kNormMore)) return KernelClass::kNormalisation;
  if (HasAny(name, kLayoutWords)) return KernelClass::kLayout;
  if (HasAny(name, kElement) && !name.starts_with("void at::native::reduce"))
    return KernelClass::kElementwise;
  if (reduces || HasAny(name, kReduce)) return KernelClass::kReduction;
  return KernelClass::kOther;
}

bool IsReformat(std::string_view kernel) {
  constexpr std::array<std::string_view, 11> kMoves = {
      "transpose", "nchwtonhwc",  "nhwctonchw",    "permute",          "copy_kernel", "catarray",
      "convert",   "direct_copy", "unrolled_cast", "tensor_transform", "cast_kernel"};
  return ClassifyKernel(kernel) == KernelClass::kLayout && HasAny(Lower(kernel), kMoves);
}

PlainProduct PlainProductOf(std::string_view kernel) {
  const std::string name = Lower(kernel);
  if (HasAny(name, kTensor) || HasAny(name, kSplitKReduce)) return PlainProduct::kNone;
  // cuBLAS and cuDNN name the architecture that a kernel was built for, CUTLASS its number.
  constexpr std::array<std::string_view, 4> kHalf = {"volta_hgemm", "turing_hgemm", "_fp16_sgemm",
                                                     "simt_hgemm"};
  if (HasAny(name, kHalf)) return PlainProduct::kHalf;
  constexpr std::array<std::string_view, 6> kFp32 = {
      "ampere_sgemm", "ampere_scudnn",        "cutlass_80_simt_sgemm",
      "hopper_sgemm", "sm80_xmma_fprop_simt", "cutlass_90_simt_sgemm"};
  return HasAny(name, kFp32) ? PlainProduct::kFp32BesideTf32 : PlainProduct::kNone;
}

}  // namespace gpuwhy::trace
