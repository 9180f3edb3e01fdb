#include "trace/kernels.h"

#include <gtest/gtest.h>

#include "trace/test_timeline.h"

namespace gpuwhy::trace {
namespace {

TEST(KernelClass, KnowsTheNamesOfEachGeneration) {
  struct Case {
    const char* name;
    KernelClass kernel_class;
  };
  for (const Case& c : {
           Case{"volta_fp16_s884gemm_fp16_128x64_ldg8_f2f_nn", KernelClass::kMatmulTensor},
           {"ampere_bf16_s16816gemm_bf16_128x64_sliced1x2_ldg8", KernelClass::kMatmulTensor},
           {"nvjet_tst_192x192_64x4_2x1_v_bz_TNN", KernelClass::kMatmulTensor},
           {"void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<x>>",
            KernelClass::kMatmulTensor},
           {"bmm_Bfloat16_E4m3E4m3_Fp32_t128x8x512_s6", KernelClass::kMatmulTensor},
           {"Cijk_Alik_Bljk_BBS_BH_MT128x128x64_MI16x16x1_SN", KernelClass::kMatmulTensor},
           {"sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n", KernelClass::kMatmulTensor},
           {"triton_tem_fused_mm_0", KernelClass::kMatmulTensor},
           {"volta_sgemm_128x64_nn", KernelClass::kMatmul},
           {"Cijk_Ailk_Bljk_SB_MT64x64x8_SE", KernelClass::kMatmul},
           {"void gemv2T_kernel_val<int, float>", KernelClass::kMatmul},
           {"void cudnn::winograd_nonfused::winogradForwardData4x4", KernelClass::kMatmul},
           {"void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64>>", KernelClass::kAttention},
           {"fmhaSm100fKernel_QkvBfloat16OBfloat16H128", KernelClass::kAttention},
           {"void cutlass::device_kernel<flash::FlashAttnFwdSm90<x>>", KernelClass::kAttention},
           {"void at::native::elementwise_kernel<128, 2, x>", KernelClass::kElementwise},
           {"triton_poi_fused_add_0", KernelClass::kElementwise},
           {"void at::native::reduce_kernel<512, 1, x>", KernelClass::kReduction},
           {"void splitKreduce_kernel<32, 16, int, float>", KernelClass::kReduction},
           {"triton_per_fused_sum_3", KernelClass::kReduction},
           {"void (anonymous namespace)::softmax_warp_forward<float>", KernelClass::kReduction},
           {"void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float>",
            KernelClass::kNormalisation},
           {"void cudnn::bn_fw_tr_1C11_kernel_NCHW<float>", KernelClass::kNormalisation},
           {"void cudnn::ops::nchwToNhwcKernel<float, float>", KernelClass::kLayout},
           {"void at::native::(anonymous namespace)::CatArrayBatchedCopy<float>",
            KernelClass::kLayout},
           {"my_kernel", KernelClass::kOther},
           {"", KernelClass::kOther},
       }) {
    EXPECT_EQ(ClassifyKernel(c.name), c.kernel_class)
        << c.name << ": " << Name(ClassifyKernel(c.name));
  }
}

TEST(Kernels, RowsAreByTimeWithCountAndShare) {
  TestTimeline t;
  t.Kernel(0, 100, -1, "a").Kernel(100, 200, -1, "b").Kernel(200, 500, -1, "a");
  t.Device(Work::kComm, 0, 500, -1, "nccl");
  const KernelFigures figures = KernelsOf(t.timeline, 2);
  ASSERT_EQ(figures.rows.size(), 2U);
  EXPECT_EQ(figures.rows[0].name, "nccl");
  EXPECT_EQ(figures.rows[0].kernel_class, KernelClass::kCollective);
  EXPECT_EQ(figures.rows[1].count, 2U);
  EXPECT_EQ(figures.rows[1].sum_ns, 400);
  EXPECT_DOUBLE_EQ(figures.rows[1].share, 0.4);
}

TEST(Kernels, LaunchesAreMeasuredToTheStartOfTheirWork) {
  TestTimeline t;
  for (int i = 0; i < 101; ++i) {
    t.Launch(i * 1000, i * 1000 + 5, i).Kernel(i * 1000 + 10 + i, i * 1000 + 900, i);
  }
  t.Kernel(500, 600, 77777);  // no launch
  const KernelFigures figures = KernelsOf(t.timeline, 5);
  EXPECT_EQ(*figures.launch_p50_ns, 60);
  EXPECT_EQ(*figures.launch_p99_ns, 109);
  EXPECT_NEAR(*figures.queue_depth, 0.06, 0.001);
  EXPECT_DOUBLE_EQ(*figures.tiny_share, 1);
}

TEST(Kernels, WithoutLaunchesThereIsNoLatency) {
  TestTimeline t;
  t.Kernel(0, 20000);
  const KernelFigures figures = KernelsOf(t.timeline, 5);
  EXPECT_FALSE(figures.launch_p50_ns.has());
  EXPECT_FALSE(figures.queue_depth.has());
  EXPECT_FALSE(figures.small_grid_share.has());
  EXPECT_DOUBLE_EQ(*figures.tiny_share, 0);
  EXPECT_FALSE(KernelsOf(TestTimeline().timeline, 5).tiny_share.has());
}

TEST(Kernels, CopiesFromPageableMemoryAreToldApart) {
  TestTimeline t;
  t.Device(Work::kH2D, 0, 1000).Device(Work::kH2D, 1000, 1500).Device(Work::kD2H, 0, 5);
  t.timeline.device.host_memory = {HostMemory::kPageable, HostMemory::kPinned,
                                   HostMemory::kUnknown};
  t.timeline.device.bytes = {4000, 8000, 0};
  const KernelFigures figures = KernelsOf(t.timeline, 5);
  EXPECT_EQ(figures.pageable_h2d.count, 1U);
  EXPECT_DOUBLE_EQ(*figures.pageable_h2d.BytesPerSecond(), 4e9);
  EXPECT_DOUBLE_EQ(*figures.pinned_h2d.BytesPerSecond(), 16e9);
  EXPECT_FALSE(figures.other_d2h.BytesPerSecond().has());
}

TEST(Kernels, SmallGridsAreHeldAgainstTheDevicesProcessors) {
  TestTimeline t;
  t.Kernel(0, 30).Kernel(30, 40).Kernel(40, 100);
  t.timeline.devices = {{0, "GPU", 100}};
  t.timeline.kernel_details.push_back({});
  t.timeline.kernel_details[1].blocks = 99;
  t.timeline.kernel_details.push_back({});
  t.timeline.kernel_details[2].blocks = 100;
  t.timeline.device.detail = {1, 2, 0};
  EXPECT_DOUBLE_EQ(*KernelsOf(t.timeline, 5).small_grid_share, 0.75);
}

}  // namespace
}  // namespace gpuwhy::trace
