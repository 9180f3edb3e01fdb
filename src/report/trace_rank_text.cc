#include "report/trace_rank_text.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/i18n.h"
#include "report/trace_words.h"
#include "report/values.h"

namespace gpuwhy {
namespace {

std::string ReasonText(trace::LateBecause reason) {
  switch (reason) {
    case trace::LateBecause::kUnknown:
      return _("no cause stands out");
    case trace::LateBecause::kMoreWork:
      return _("it has more to compute");
    case trace::LateBecause::kSlowDevice:
      return _("its device computes the same work slower");
    case trace::LateBecause::kInputWait:
      return _("it waits longer for input");
    case trace::LateBecause::kHost:
      return _("its host is slower (Python, launches)");
    case trace::LateBecause::kSync:
      return _("it synchronises longer");
    case trace::LateBecause::kCopies:
      return _("its copies take longer");
  }
  return {};
}

// Rates of the sizes on which most time goes; small ones are latency, not bandwidth.
void WriteRates(const trace::CrossRank& ranks, Page& page) {
  constexpr std::size_t kMost = 6;
  std::vector<const trace::CollectiveRate*> rates;
  for (const trace::CollectiveRate& rate : ranks.rates) rates.push_back(&rate);
  const auto time = [](const trace::CollectiveRate& rate) {
    return static_cast<double>(rate.transfer_ns) * static_cast<double>(rate.count);
  };
  std::stable_sort(rates.begin(), rates.end(),
                   [&](const auto* a, const auto* b) { return time(*a) > time(*b); });
  for (std::size_t i = 0; i < rates.size() && i < kMost; ++i) {
    const trace::CollectiveRate& rate = *rates[i];
    page.Paragraph(
        Format(_("{} of {} over {} ranks, {} times: {} once all have arrived, bus bandwidth {}{}."),
               std::string(Name(rate.kind)),
               QuantityText(static_cast<double>(rate.bytes), Unit::kBytes), rate.ranks, rate.count,
               DurationText(rate.transfer_ns), QuantityText(rate.bus_rate, Unit::kBytesPerSecond),
               rate.reliable ? std::string() : std::string(_(" (a lower bound)"))));
  }
}

void WritePipeline(const trace::CrossRank& ranks, Page& page) {
  constexpr double kWorthSaying = 0.01;
  const auto most =
      std::max_element(ranks.waits.begin(), ranks.waits.end(),
                       [](const auto& a, const auto& b) { return a.pipeline_ns < b.pipeline_ns; });
  if (most == ranks.waits.end() ||
      static_cast<double>(most->pipeline_ns) < kWorthSaying * static_cast<double>(ranks.span_ns))
    return;
  const auto least =
      std::min_element(ranks.waits.begin(), ranks.waits.end(),
                       [](const auto& a, const auto& b) { return a.pipeline_ns < b.pipeline_ns; });
  page.Paragraph(Format(
      _("Waits in sends and receives (pipeline bubbles) take {} of rank {} and {} of rank "
        "{}; they are not counted as waiting for a late rank."),
      DurationText(most->pipeline_ns), most->rank, DurationText(least->pipeline_ns), least->rank));
}

}  // namespace

void WriteRanks(const trace::CrossRank& ranks, Page& page) {
  if (ranks.waits.size() < 2) return;
  page.Heading(Format(_("{} ranks"), ranks.waits.size()));
  page.Paragraph(Format(_("{} collectives matched; clocks aligned to {}."),
                        ranks.collectives.size(), DurationText(ranks.alignment_residual_ns)));
  if (!ranks.equal_work)
    page.Paragraph(_("The ranks do not compute the same amount: that comes first."));
  for (const trace::Straggler& late : ranks.stragglers) {
    page.Paragraph(Format(_("Rank {} is late ({} of the collectives wait for it): {}, {} more than "
                            "the others. They wait {} for it."),
                          late.rank, PercentText(late.arrived_last_share), ReasonText(late.reason),
                          DurationText(late.excess_ns), DurationText(late.cost_ns)));
  }
  if (const std::optional<trace::WhatIf> answer = WithoutSlowestRank(ranks)) {
    page.Paragraph(Format(_("At most {} to be gained {}, if {}."), PercentText(answer->gain),
                          ChangeText(answer->change), Assumption(answer->change)));
  }
  if (ranks.stragglers.empty() && !ranks.collectives.empty())
    page.Paragraph(_("No rank is late more than the others."));
  WritePipeline(ranks, page);
  WriteRates(ranks, page);
  for (const std::string& problem : ranks.problems) page.Paragraph(Format(_("Note: {}."), problem));
}

}  // namespace gpuwhy
