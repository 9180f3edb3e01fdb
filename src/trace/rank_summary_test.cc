#include "trace/rank_summary.h"

#include <gtest/gtest.h>

#include "trace/test_timeline.h"

namespace gpuwhy::trace {
namespace {

constexpr std::int64_t kMs = 1'000'000;

void AddCall(TestTimeline& t, std::string_view kind, std::int64_t start, std::int64_t end) {
  t.Device(Work::kComm, start, end, -1, "ncclDevKernel_SendRecv(ncclDevComm*)");
  KernelDetail detail;
  detail.collective = t.timeline.names.Intern(kind);
  detail.group = t.timeline.names.Intern("7");
  detail.dtype = t.timeline.names.Intern("BFloat16");
  detail.group_size = 4;
  detail.in_elements = 1000;
  detail.out_elements = 4000;
  t.timeline.kernel_details.push_back(detail);
  t.timeline.device.detail.back() =
      static_cast<std::uint32_t>(t.timeline.kernel_details.size() - 1);
}

TEST(RankSummary, KeepsCollectivesWithTheirSizes) {
  TestTimeline t;
  AddCall(t, "_allgather_base", 5 * kMs, 6 * kMs);
  AddCall(t, "allreduce", kMs, 2 * kMs);
  const RankSummary summary = Summarize(t.timeline, {}, {}, 3);
  EXPECT_EQ(summary.rank, 3);
  ASSERT_EQ(summary.collectives.size(), 2U);
  const CollectiveCall& first = summary.collectives[0];
  EXPECT_EQ(summary.texts[first.kind], "allreduce");
  EXPECT_EQ(summary.texts[first.group], "7");
  EXPECT_EQ(first.bytes, 2000);
  EXPECT_EQ(first.out_bytes, 8000);
  EXPECT_EQ(first.group_size, 4U);
  EXPECT_EQ(summary.pipeline_ns, 0);
}

TEST(RankSummary, MessagesAreNoCollectivesAndTheirWaitIsABubble) {
  TestTimeline t;
  // Three receives of one size: 1 ms is the transfer, the rest waiting. Kernels hide 2 ms of it.
  AddCall(t, "recv", 0, kMs);
  AddCall(t, "recv", 10 * kMs, 15 * kMs);
  AddCall(t, "recv", 20 * kMs, 23 * kMs);
  t.Kernel(11 * kMs, 13 * kMs);
  const RankSummary summary = Summarize(t.timeline, {}, {}, 0);
  EXPECT_TRUE(summary.collectives.empty());
  EXPECT_EQ(summary.pipeline_ns, 4 * kMs);
}

TEST(RankSummary, OfTwoMessagesTheTransferIsNotKnown) {
  TestTimeline t;
  AddCall(t, "send", 0, kMs);
  AddCall(t, "send", 10 * kMs, 15 * kMs);
  EXPECT_EQ(Summarize(t.timeline, {}, {}, 0).pipeline_ns, 0);
}

}  // namespace
}  // namespace gpuwhy::trace
