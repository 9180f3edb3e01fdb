#include "derive/step_shares.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gpuwhy {
namespace {

constexpr double kNanos = 1e9;

// The share-th of the sorted values, 0..1: the larger of two neighbours.
double At(const std::vector<std::int64_t>& sorted, double share) {
  if (sorted.empty()) return 0;
  const auto place =
      static_cast<std::size_t>(std::lround(share * static_cast<double>(sorted.size() - 1)));
  return static_cast<double>(sorted[place]) / kNanos;
}

}  // namespace

StepShares::StepShares(const trace::StepList& list) {
  for (const trace::Step& step : list.steps) {
    const bool whole = step.anatomy.window.Length() > 0;
    if (step.use == trace::StepUse::kMeasured && whole) steps_.push_back(&step.anatomy);
  }
}

double StepShares::MedianSeconds() const { return Facts({}).median_s; }

StepShare StepShares::OfParts(const std::vector<trace::Part>& parts) const {
  std::vector<std::int64_t> values;
  for (const trace::StepAnatomy* step : steps_) {
    std::int64_t sum = 0;
    for (const trace::Part part : parts) sum += step->parts[static_cast<std::size_t>(part)];
    values.push_back(sum);
  }
  return Of(values);
}

StepShare StepShares::OfRows(const std::vector<trace::StepRow>& rows,
                             trace::StepFigure figure) const {
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < steps_.size() && i < rows.size(); ++i)
    values.push_back(rows[i][static_cast<std::size_t>(figure)]);
  return Of(values);
}

double StepShares::StepsWith(trace::Part part) const {
  return static_cast<double>(
      std::count_if(steps_.begin(), steps_.end(), [&](const trace::StepAnatomy* step) {
        return step->parts[static_cast<std::size_t>(part)] > 0;
      }));
}

StepShare StepShares::Of(const std::vector<std::int64_t>& values) const {
  if (values.empty()) return {};
  std::int64_t time = 0;
  for (const trace::StepAnatomy* step : steps_) time += step->window.Length();
  const std::int64_t sum = std::accumulate(values.begin(), values.end(), std::int64_t{0});
  StepShare result;
  result.share = std::clamp(static_cast<double>(sum) / static_cast<double>(time), 0.0, 1.0);
  result.low = result.share;
  if (values.size() < 2) return result;
  const auto most =
      static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
  const auto left = static_cast<double>(time - steps_[most]->window.Length());
  const double without = left > 0 ? static_cast<double>(sum - values[most]) / left : 0;
  result.low = std::clamp(without, 0.0, result.share);
  return result;
}

StepFacts StepShares::Facts(const std::string& source) const {
  std::vector<std::int64_t> lengths;
  for (const trace::StepAnatomy* step : steps_) lengths.push_back(step->window.Length());
  std::sort(lengths.begin(), lengths.end());
  StepFacts facts;
  facts.count = lengths.size();
  facts.median_s =
      lengths.empty() ? 0 : static_cast<double>(lengths[(lengths.size() - 1) / 2]) / kNanos;
  facts.p95_s = At(lengths, 0.95);
  facts.source = source;
  return facts;
}

}  // namespace gpuwhy
