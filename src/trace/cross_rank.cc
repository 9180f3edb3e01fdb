#include "trace/cross_rank.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "base/i18n.h"
#include "base/median.h"

namespace gpuwhy::trace {
namespace {

// A rank is late where it waits less than three quarters of what the median rank waits
// (nvidia-resiliency-ext calls a score under 0.75 a straggler), and waiting is worth talking about:
// 2 % of the span.
constexpr double kLateShare = 0.75;
constexpr double kWorthShare = 0.02;
// 5 % spread between healthy devices of a node is normal, 10 % is not (gpu-fryer, ml-engineering).
constexpr double kWorkTolerance = 0.10;

std::int64_t MedianOrZero(std::vector<std::int64_t> values) {
  return values.empty() ? 0 : Median(std::move(values));
}

// Calls of one group, one column a rank; ranks that have none of this group take no part in it.
struct Group {
  std::vector<std::size_t> members;                       // indices of ranks
  std::vector<std::vector<const CollectiveCall*>> calls;  // by member
};

std::map<std::string, Group> GroupsOf(const std::vector<RankSummary>& ranks) {
  std::map<std::string, Group> groups;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    for (const CollectiveCall& call : ranks[r].collectives) {
      Group& group = groups[ranks[r].texts[call.group]];
      if (group.members.empty() || group.members.back() != r) {
        group.members.push_back(r);
        group.calls.emplace_back();
      }
      group.calls.back().push_back(&call);
    }
  }
  return groups;
}

std::size_t CommonLength(const Group& group) {
  std::size_t n = SIZE_MAX;
  for (const auto& calls : group.calls) n = std::min(n, calls.size());
  return group.calls.empty() ? 0 : n;
}

class Comparison {
 public:
  explicit Comparison(const std::vector<RankSummary>& ranks)
      : ranks_(ranks), groups_(GroupsOf(ranks)) {
    result_.waits.resize(ranks.size());
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      result_.waits[r].rank = ranks[r].rank;
      result_.waits[r].file = ranks[r].file;
      result_.waits[r].pipeline_ns = ranks[r].pipeline_ns;
    }
  }

  CrossRank Run() {
    Align();
    for (const auto& [name, group] : groups_) Match(name, group);
    SumUpRates();
    CheckWork();
    FindStragglers();
    return std::move(result_);
  }

 private:
  // Offset of each rank: the median difference of ends to the first member of a group it shares
  // with an aligned rank.
  void Align() {
    std::vector<bool> aligned(ranks_.size());
    if (!aligned.empty()) aligned[0] = true;
    bool progress = true;
    while (progress) {
      progress = false;
      for (const auto& [name, group] : groups_) progress |= AlignGroup(group, aligned);
    }
    const auto left = std::count(aligned.begin(), aligned.end(), false);
    if (left > 0) {
      result_.problems.push_back(Format(
          _("{} ranks share no collective with the others: their clocks can't be aligned"), left));
    }
  }

  bool AlignGroup(const Group& group, std::vector<bool>& aligned) {
    const std::size_t n = CommonLength(group);
    std::size_t anchor = SIZE_MAX;
    for (std::size_t m = 0; m < group.members.size() && anchor == SIZE_MAX; ++m) {
      if (aligned[group.members[m]]) anchor = m;
    }
    if (anchor == SIZE_MAX || n == 0) return false;
    bool progress = false;
    for (std::size_t m = 0; m < group.members.size(); ++m) {
      if (aligned[group.members[m]]) continue;
      std::vector<std::int64_t> differences;
      for (std::size_t k = 0; k < n; ++k)
        differences.push_back(group.calls[anchor][k]->end - group.calls[m][k]->end);
      result_.waits[group.members[m]].clock_offset_ns =
          MedianOrZero(std::move(differences)) +
          result_.waits[group.members[anchor]].clock_offset_ns;
      aligned[group.members[m]] = true;
      progress = true;
    }
    return progress;
  }

  void Match(const std::string& name, const Group& group) {
    const std::size_t n = CommonLength(group);
    for (const auto& calls : group.calls) result_.unmatched += calls.size() - n;
    if (group.members.size() < 2) return;
    std::vector<std::int64_t> spreads;
    for (std::size_t k = 0; k < n; ++k) {
      const auto measured = [&](const auto& calls) { return calls[k]->measured; };
      if (!std::all_of(group.calls.begin(), group.calls.end(), measured)) continue;
      const CollectiveCall& call = *group.calls[0][k];
      MatchedCollective matched{name,       ranks_[group.members[0]].texts[call.kind],
                                k,          group.members.size(),
                                0,          0,
                                call.bytes, -1};
      std::vector<std::int64_t> starts;
      std::vector<std::int64_t> ends;
      for (std::size_t m = 0; m < group.members.size(); ++m) {
        const std::int64_t offset = result_.waits[group.members[m]].clock_offset_ns;
        starts.push_back(group.calls[m][k]->start + offset);
        ends.push_back(group.calls[m][k]->end + offset);
      }
      const auto last = std::max_element(starts.begin(), starts.end());
      const std::size_t late = group.members[static_cast<std::size_t>(last - starts.begin())];
      for (std::size_t m = 0; m < group.members.size(); ++m)
        result_.waits[group.members[m]].wait_ns += *last - starts[m];
      ++result_.waits[late].arrived_last;
      std::int64_t before = INT64_MIN;
      for (std::size_t m = 0; m < starts.size(); ++m) {
        if (group.members[m] != late) before = std::max(before, starts[m]);
      }
      result_.waits[late].alone_late_ns += *last - before;
      matched.last_rank = ranks_[late].rank;
      matched.skew_ns = *last - *std::min_element(starts.begin(), starts.end());
      const auto [low, high] = std::minmax_element(ends.begin(), ends.end());
      spreads.push_back(*high - *low);
      matched.transfer_ns = std::max<std::int64_t>(0, MedianOrZero(std::move(ends)) - *last);
      AddTransfer(call, group.members.size(), matched);
      result_.collectives.push_back(std::move(matched));
    }
    result_.alignment_residual_ns =
        std::max(result_.alignment_residual_ns, MedianOrZero(std::move(spreads)));
  }

  void AddTransfer(const CollectiveCall& call, std::size_t members,
                   const MatchedCollective& matched) {
    const CollectiveKind kind = CollectiveKindOf(matched.kind);
    const auto ranks = call.group_size > 0 ? call.group_size : static_cast<std::uint32_t>(members);
    const std::int64_t bytes = CountedBytes(kind, call.bytes, call.out_bytes, ranks);
    if (bytes <= 0 || BusFactor(kind, ranks) <= 0) return;
    Transfers& transfers = transfers_[{kind, bytes, ranks}];
    transfers.ns.push_back(matched.transfer_ns);
    transfers.all_ranks = transfers.all_ranks && members >= ranks;
  }

  void SumUpRates() {
    constexpr std::int64_t kAboveResidual = 2;
    for (auto& [key, transfers] : transfers_) {
      CollectiveRate rate;
      std::tie(rate.kind, rate.bytes, rate.ranks) = key;
      rate.count = transfers.ns.size();
      rate.transfer_ns = MedianOrZero(std::move(transfers.ns));
      if (rate.transfer_ns <= 0) continue;
      rate.algorithm_rate =
          static_cast<double>(rate.bytes) * 1e9 / static_cast<double>(rate.transfer_ns);
      rate.bus_rate = rate.algorithm_rate * BusFactor(rate.kind, rate.ranks);
      rate.reliable =
          transfers.all_ranks && rate.transfer_ns / kAboveResidual > result_.alignment_residual_ns;
      result_.rates.push_back(rate);
    }
  }

  void CheckWork() {
    std::vector<std::int64_t> compute;
    std::vector<std::int64_t> kernels;
    for (const RankSummary& rank : ranks_) {
      compute.push_back(rank.compute_sum_ns);
      kernels.push_back(static_cast<std::int64_t>(rank.compute_kernels));
    }
    result_.equal_work = Even(compute) && Even(kernels);
    const auto median = static_cast<double>(MedianOrZero(kernels));
    for (std::size_t r = 0; r < ranks_.size() && median > 0; ++r)
      result_.waits[r].kernels_over_median = static_cast<double>(kernels[r]) / median;
  }

  static bool Even(const std::vector<std::int64_t>& values) {
    if (values.empty()) return true;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return static_cast<double>(*high - *low) <=
           kWorkTolerance * static_cast<double>(std::max<std::int64_t>(MedianOrZero(values), 1));
  }

  void FindStragglers() {
    std::vector<std::int64_t> waits;
    std::size_t matched = 0;
    for (const RankWait& wait : result_.waits) {
      waits.push_back(wait.wait_ns);
      matched += wait.arrived_last;
    }
    const std::int64_t median = MedianOrZero(waits);
    std::vector<std::int64_t> spans;
    for (const RankSummary& rank : ranks_) spans.push_back(rank.span_ns);
    result_.span_ns = MedianOrZero(spans);
    if (matched == 0 || static_cast<double>(median) <
                            kWorthShare * static_cast<double>(MedianOrZero(std::move(spans))))
      return;
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      const RankWait& wait = result_.waits[r];
      if (static_cast<double>(wait.wait_ns) >= kLateShare * static_cast<double>(median)) continue;
      Straggler straggler = ReasonOf(r);
      straggler.cost_ns = median - wait.wait_ns;
      straggler.arrived_last_share =
          static_cast<double>(wait.arrived_last) / static_cast<double>(matched);
      result_.stragglers.push_back(straggler);
    }
    std::stable_sort(result_.stragglers.begin(), result_.stragglers.end(),
                     [](const Straggler& a, const Straggler& b) { return a.cost_ns > b.cost_ns; });
  }

  // What this rank spends more of than the median of the others, before it arrives.
  [[nodiscard]] Straggler ReasonOf(std::size_t r) const {
    const auto excess = [&](const auto& figure) {
      std::vector<std::int64_t> others;
      for (std::size_t o = 0; o < ranks_.size(); ++o) {
        if (o != r) others.push_back(figure(ranks_[o]));
      }
      return figure(ranks_[r]) - MedianOrZero(std::move(others));
    };
    const auto parts = [](std::initializer_list<Part> list) {
      return [list = std::vector<Part>(list)](const RankSummary& rank) {
        std::int64_t sum = 0;
        for (const Part part : list) sum += rank.parts[static_cast<std::size_t>(part)];
        return sum;
      };
    };
    const std::int64_t compute =
        excess([](const RankSummary& rank) { return rank.compute_sum_ns; });
    const std::int64_t kernels = excess(
        [](const RankSummary& rank) { return static_cast<std::int64_t>(rank.compute_kernels); });
    const double more_kernels =
        static_cast<double>(kernels) /
        static_cast<double>(std::max<std::uint64_t>(ranks_[r].compute_kernels, 1));
    const std::array<std::pair<LateBecause, std::int64_t>, 5> reasons = {{
        {more_kernels > kWorkTolerance ? LateBecause::kMoreWork : LateBecause::kSlowDevice,
         compute},
        {LateBecause::kInputWait, excess(parts({Part::kInputWait}))},
        {LateBecause::kHost, excess(parts({Part::kHost, Part::kLaunch, Part::kAlloc, Part::kCompile,
                                           Part::kOtherPhase, Part::kUnexplained}))},
        {LateBecause::kSync, excess(parts({Part::kSync}))},
        {LateBecause::kCopies, excess(parts({Part::kH2D, Part::kD2H, Part::kD2D}))},
    }};
    const auto* most =
        std::max_element(reasons.begin(), reasons.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    Straggler straggler;
    straggler.rank = ranks_[r].rank;
    straggler.reason = most->second > 0 ? most->first : LateBecause::kUnknown;
    straggler.excess_ns = std::max<std::int64_t>(most->second, 0);
    return straggler;
  }

  const std::vector<RankSummary>& ranks_;
  std::map<std::string, Group> groups_;
  struct Transfers {
    std::vector<std::int64_t> ns;
    bool all_ranks = true;
  };
  std::map<std::tuple<CollectiveKind, std::int64_t, std::uint32_t>, Transfers> transfers_;
  CrossRank result_;
};

}  // namespace

std::string_view Name(LateBecause reason) {
  constexpr std::array<std::string_view, 7> kNames = {
      "unknown", "more-work", "slow-device", "input-wait", "host", "sync", "copies"};
  return kNames.at(static_cast<std::size_t>(reason));
}

std::optional<WhatIf> WithoutSlowestRank(const CrossRank& ranks) {
  if (ranks.stragglers.empty() || ranks.span_ns <= 0) return std::nullopt;
  const std::int64_t rank = ranks.stragglers.front().rank;
  const auto wait = std::find_if(ranks.waits.begin(), ranks.waits.end(),
                                 [&](const RankWait& w) { return w.rank == rank; });
  if (wait == ranks.waits.end()) return std::nullopt;
  const std::int64_t saved = std::min(wait->alone_late_ns, ranks.span_ns);
  WhatIf answer;
  answer.change = Change::kWithoutSlowestRank;
  answer.now_ns = ranks.span_ns;
  answer.then_ns = ranks.span_ns - saved;
  answer.gain = static_cast<double>(saved) / static_cast<double>(ranks.span_ns);
  answer.reliable = ranks.equal_work && ranks.problems.empty();
  return answer;
}

CrossRank CompareRanks(const std::vector<RankSummary>& ranks) { return Comparison(ranks).Run(); }

}  // namespace gpuwhy::trace
