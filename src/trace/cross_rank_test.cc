#include "trace/cross_rank.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace gpuwhy::trace {
namespace {

constexpr std::int64_t kMs = 1'000'000;

// Four ranks, 20 steps of 10 ms, each with one collective of 1 ms after the last has arrived.
// late(rank, step): how much later than at once a rank arrives.
std::vector<RankSummary> Ranks(const std::function<std::int64_t(int, int)>& late) {
  std::vector<RankSummary> ranks(4);
  for (std::size_t r = 0; r < 4; ++r) {
    ranks[r].rank = static_cast<std::int64_t>(r);
    ranks[r].file = "rank" + std::to_string(r);
    ranks[r].texts = {"", "0", "allreduce"};
    ranks[r].span_ns = 20 * 10 * kMs;
    ranks[r].compute_sum_ns = 100 * kMs;
    ranks[r].compute_kernels = 1000;
  }
  for (int step = 0; step < 20; ++step) {
    std::int64_t last = 0;
    for (int r = 0; r < 4; ++r) last = std::max(last, late(r, step));
    for (int r = 0; r < 4; ++r) {
      const std::int64_t base = step * 10 * kMs + r * 5 * kMs;  // each rank has a clock of its own
      ranks[static_cast<std::size_t>(r)].collectives.push_back(
          {1, 2, 4, base + late(r, step), base + last + kMs, 4096, 4096, true});
    }
  }
  return ranks;
}

std::int64_t& PartOf(RankSummary& rank, Part part) {
  return rank.parts[static_cast<std::size_t>(part)];
}

std::int64_t RankTwoIsLate(int rank, int) { return rank == 2 ? 4 * kMs : 0; }

TEST(CrossRank, AlignsClocksByTheEndsOfCollectives) {
  const CrossRank result = CompareRanks(Ranks(RankTwoIsLate));
  for (std::size_t r = 0; r < 4; ++r)
    EXPECT_EQ(result.waits[r].clock_offset_ns, -static_cast<std::int64_t>(r) * 5 * kMs);
  EXPECT_EQ(result.alignment_residual_ns, 0);
  ASSERT_EQ(result.collectives.size(), 20U);
  EXPECT_EQ(result.collectives[3].skew_ns, 4 * kMs);
  EXPECT_EQ(result.collectives[3].transfer_ns, kMs);
  EXPECT_EQ(result.collectives[3].last_rank, 2);
  EXPECT_EQ(result.waits[0].wait_ns, 80 * kMs);
}

void ExpectReason(std::vector<RankSummary> ranks, LateBecause reason) {
  const CrossRank result = CompareRanks(ranks);
  ASSERT_EQ(result.stragglers.size(), 1U);
  EXPECT_EQ(result.stragglers[0].rank, 2);
  EXPECT_EQ(result.stragglers[0].reason, reason) << Name(result.stragglers[0].reason);
  EXPECT_EQ(result.stragglers[0].cost_ns, 80 * kMs);
  EXPECT_DOUBLE_EQ(result.stragglers[0].arrived_last_share, 1);
}

TEST(CrossRank, NamesTheReasonOfTheLateRank) {
  const auto with = [](const std::function<void(RankSummary&)>& change) {
    std::vector<RankSummary> ranks = Ranks(RankTwoIsLate);
    change(ranks[2]);
    return ranks;
  };
  ExpectReason(with([](RankSummary& r) { PartOf(r, Part::kHost) = 80 * kMs; }), LateBecause::kHost);
  ExpectReason(with([](RankSummary& r) { PartOf(r, Part::kInputWait) = 80 * kMs; }),
               LateBecause::kInputWait);
  ExpectReason(with([](RankSummary& r) { PartOf(r, Part::kSync) = 80 * kMs; }), LateBecause::kSync);
  ExpectReason(with([](RankSummary& r) { PartOf(r, Part::kH2D) = 80 * kMs; }),
               LateBecause::kCopies);
  ExpectReason(with([](RankSummary& r) { r.compute_sum_ns += 80 * kMs; }),
               LateBecause::kSlowDevice);
  ExpectReason(with([](RankSummary& r) {
                 r.compute_sum_ns += 80 * kMs;
                 r.compute_kernels = 1800;
               }),
               LateBecause::kMoreWork);
  ExpectReason(Ranks(RankTwoIsLate), LateBecause::kUnknown);
}

TEST(CrossRank, WithoutTheSlowestTheOthersWaitForTheNext) {
  // Rank 2 comes 4 ms late, rank 1 comes 1 ms late: 3 ms of each of 20 steps are rank 2's alone.
  const CrossRank result = CompareRanks(Ranks([](int rank, int) {
    return rank == 2 ? 4 * kMs : rank == 1 ? kMs : 0;
  }));
  const std::optional<WhatIf> answer = WithoutSlowestRank(result);
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->now_ns - answer->then_ns, 60 * kMs);
  EXPECT_DOUBLE_EQ(answer->gain, 0.3);
  EXPECT_TRUE(answer->reliable);
  EXPECT_FALSE(WithoutSlowestRank(CompareRanks({})).has_value());
}

TEST(CrossRank, SaysWhetherTheWorkIsEqual) {
  std::vector<RankSummary> ranks = Ranks(RankTwoIsLate);
  EXPECT_TRUE(CompareRanks(ranks).equal_work);
  ranks[2].compute_kernels = 1800;
  EXPECT_FALSE(CompareRanks(ranks).equal_work);
}

TEST(CrossRank, WhereLatenessRotatesNobodyStandsOut) {
  const CrossRank result =
      CompareRanks(Ranks([](int rank, int step) { return step % 4 == rank ? 4 * kMs : 0; }));
  EXPECT_TRUE(result.stragglers.empty());
  for (const RankWait& wait : result.waits) EXPECT_EQ(wait.arrived_last, 5U);
}

TEST(CrossRank, CountsMissingCollectives) {
  std::vector<RankSummary> ranks = Ranks(RankTwoIsLate);
  ranks[1].collectives.pop_back();
  const CrossRank result = CompareRanks(ranks);
  EXPECT_EQ(result.unmatched, 3U);
  EXPECT_EQ(result.collectives.size(), 19U);
}

TEST(CrossRank, SaysWhereClocksCannotBeAligned) {
  std::vector<RankSummary> ranks = Ranks(RankTwoIsLate);
  ranks[3].collectives.clear();
  EXPECT_EQ(CompareRanks(ranks).problems.size(), 1U);
}

// nccl-tests: algbw = bytes / time, times 2 (n - 1) / n for an all-reduce of n ranks.
TEST(CrossRank, RatesAreThoseOfTheTransferAlone) {
  const CrossRank result = CompareRanks(Ranks(RankTwoIsLate));
  ASSERT_EQ(result.rates.size(), 1U);
  EXPECT_EQ(result.rates[0].kind, CollectiveKind::kAllReduce);
  EXPECT_EQ(result.rates[0].count, 20U);
  EXPECT_EQ(result.rates[0].transfer_ns, kMs);
  EXPECT_DOUBLE_EQ(result.rates[0].algorithm_rate, 4096e3);
  EXPECT_DOUBLE_EQ(result.rates[0].bus_rate, 1.5 * 4096e3);
  EXPECT_TRUE(result.rates[0].reliable);
}

TEST(CrossRank, WithoutAllRanksARateIsNoMoreThanABound) {
  std::vector<RankSummary> ranks = Ranks(RankTwoIsLate);
  ranks.pop_back();
  const CrossRank result = CompareRanks(ranks);
  ASSERT_EQ(result.rates.size(), 1U);
  EXPECT_FALSE(result.rates[0].reliable);
  EXPECT_EQ(result.rates[0].ranks, 4U) << "of the group, not of those handed in";
}

TEST(CrossRank, WithoutASizeThereIsNoRate) {
  std::vector<RankSummary> ranks = Ranks(RankTwoIsLate);
  for (RankSummary& rank : ranks) {
    for (CollectiveCall& call : rank.collectives) call.bytes = call.out_bytes = 0;
  }
  EXPECT_TRUE(CompareRanks(ranks).rates.empty());
}

TEST(CrossRank, OneRankOrNoneIsNoComparison) {
  EXPECT_TRUE(CompareRanks({}).stragglers.empty());
  std::vector<RankSummary> one = Ranks(RankTwoIsLate);
  one.resize(1);
  const CrossRank result = CompareRanks(one);
  EXPECT_TRUE(result.collectives.empty() && result.stragglers.empty() && result.problems.empty());
}

}  // namespace
}  // namespace gpuwhy::trace
