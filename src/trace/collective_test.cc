#include "trace/collective.h"

#include <gtest/gtest.h>

namespace gpuwhy::trace {
namespace {

TEST(Collective, KindsByTheNamesOfFrameworksAndKernels) {
  EXPECT_EQ(CollectiveKindOf("allreduce"), CollectiveKind::kAllReduce);
  EXPECT_EQ(CollectiveKindOf("allreduce_coalesced"), CollectiveKind::kAllReduce);
  EXPECT_EQ(CollectiveKindOf("_allgather_base"), CollectiveKind::kAllGather);
  EXPECT_EQ(CollectiveKindOf("_reduce_scatter_base"), CollectiveKind::kReduceScatter);
  EXPECT_EQ(CollectiveKindOf("all_to_allv"), CollectiveKind::kAllToAll);
  EXPECT_EQ(CollectiveKindOf("ncclDevKernel_AllGather_RING_LL(ncclDevComm*)"),
            CollectiveKind::kAllGather);
  EXPECT_EQ(CollectiveKindOf("ncclKernel_Reduce_RING_LL_Sum_float"), CollectiveKind::kReduce);
  EXPECT_EQ(CollectiveKindOf("send"), CollectiveKind::kSend);
  EXPECT_EQ(CollectiveKindOf("recv"), CollectiveKind::kReceive);
  EXPECT_EQ(CollectiveKindOf("barrier"), CollectiveKind::kOther);
}

TEST(Collective, ASendRecvKernelMayBeAnAllToAll) {
  EXPECT_EQ(CollectiveKindOf("ncclDevKernel_SendRecv(ncclDevComm*)"), CollectiveKind::kOther);
}

// Factors of nccl-tests' doc/PERFORMANCE.md for eight ranks.
TEST(Collective, BusFactorsAreThoseOfNcclTests) {
  EXPECT_DOUBLE_EQ(BusFactor(CollectiveKind::kAllReduce, 8), 1.75);
  EXPECT_DOUBLE_EQ(BusFactor(CollectiveKind::kAllGather, 8), 0.875);
  EXPECT_DOUBLE_EQ(BusFactor(CollectiveKind::kReduceScatter, 8), 0.875);
  EXPECT_DOUBLE_EQ(BusFactor(CollectiveKind::kAllToAll, 8), 0.875);
  EXPECT_DOUBLE_EQ(BusFactor(CollectiveKind::kBroadcast, 8), 1);
  EXPECT_DOUBLE_EQ(BusFactor(CollectiveKind::kAllReduce, 1), 0);
}

TEST(Collective, BytesAreThoseOfTheWholeGroup) {
  EXPECT_EQ(CountedBytes(CollectiveKind::kAllReduce, 100, 100, 8), 100);
  EXPECT_EQ(CountedBytes(CollectiveKind::kAllGather, 100, 800, 8), 800);
  EXPECT_EQ(CountedBytes(CollectiveKind::kAllGather, 100, 0, 8), 800);
  EXPECT_EQ(CountedBytes(CollectiveKind::kReduceScatter, 800, 100, 8), 800);
  EXPECT_EQ(CountedBytes(CollectiveKind::kAllReduce, 0, 0, 8), 0);
}

}  // namespace
}  // namespace gpuwhy::trace
