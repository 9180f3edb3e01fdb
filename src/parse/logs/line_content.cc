#include "parse/logs/line_content.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "parse/logs/log_units.h"

namespace gpuwhy {
namespace {

void Mean(const LineNumber& n, LogRole before, LineContent& said) {
  const std::optional<double> scale = SecondsOf(n.unit);
  if (!scale || !std::isfinite(n.value)) return;
  if (before == LogRole::kStepTime || (before == LogRole::kRate && n.unit == "s"))
    said.mean_step = n.value * *scale;
  if (before == LogRole::kDataTime) said.mean_data = n.value * *scale;
}

/// "16GT/s", "1000Mb/s": of a link, not of a training loop.
bool IsLinkSpeed(std::string_view unit) {
  return unit.ends_with("T/s") || unit.ends_with("b/s") || unit.ends_with("B/s");
}

void SetRate(const LineNumber& n, std::string_view unit, LineContent& said) {
  if (!std::isfinite(n.value) || n.value <= 0 || IsLinkSpeed(unit)) return;
  said.rate = n.value;
  said.rate_unit = unit;
}

void TakeTime(const LineNumber& n, const LogKey& key, LineContent& said) {
  const std::optional<double> unit = SecondsOf(n.unit);
  if (!std::isfinite(n.value) || n.value < 0) return;
  // After a blank the next word is no unit: "Time 3.408  Data".
  const double seconds = n.value * (unit ? *unit : 1) * key.scale;
  if (key.role == LogRole::kPhase) {
    said.phases.push_back({n.key, key.phase, seconds});
  } else if (key.role == LogRole::kDataTime) {
    if (!said.data) said.data = seconds;
  } else if (key.role == LogRole::kIterationTime) {
    said.iteration = seconds;
  } else if (key.role == LogRole::kEpochTime) {
    said.epoch = seconds;
  } else if (said.step) {
    // The first figure of a line is its step; "time=1 minute" follows in some.
    return;
  } else if (!(n.key == "train_time" && n.unit == "ms")) {
    // With a unit of milliseconds that one counts from the start of the run.
    said.step = seconds;
  }
  if (n.key == "step_avg") said.running_mean = true;
}

void TakeIndex(const LineNumber& n, const LogKey& key, std::string_view line, LineContent& said) {
  const bool counter = key.role == LogRole::kStepIndex ||
                       (key.role == LogRole::kNone && n.key.empty() && n.of_total);
  if (counter && std::isfinite(n.value)) {
    said.index = n.value;
    if (n.of_total) said.total = n.of_total;
  } else if (key.role == LogRole::kNone && n.key.empty() && n.unit == "seconds" &&
             Holds(line, " avg")) {
    said.step = n.value;
  }
}

void Take(const LineNumber& n, const LogKey& key, LogRole& before, std::string_view line,
          LineContent& said) {
  if (const std::optional<double> step = StepFromUnit(n.value, n.unit)) {
    if (!said.step) said.step = step;
    return;
  }
  if (key.role == LogRole::kNone && IsRateUnit(n.unit)) {
    before = LogRole::kRate;
    if (!said.rate) SetRate(n, n.unit, said);
    return;
  }
  switch (key.role) {
    case LogRole::kStepTime:
    case LogRole::kDataTime:
    case LogRole::kIterationTime:
    case LogRole::kEpochTime:
    case LogRole::kPhase:
      return TakeTime(n, key, said);
    case LogRole::kStepIndex:
    case LogRole::kEpochIndex:
    case LogRole::kNone:
      return TakeIndex(n, key, line, said);
    case LogRole::kLoss:
      if (!said.loss) said.loss = n.value;
      return;
    case LogRole::kGradNorm:
      said.grad = n.value;
      return;
    case LogRole::kLossScale:
      said.scale = n.value;
      return;
    case LogRole::kRate:
      if (!said.rate) SetRate(n, n.unit.empty() ? n.key : n.unit, said);
      return;
    case LogRole::kSkipped:
      if (n.value > 0) said.skipped += static_cast<std::uint64_t>(std::min(n.value, 1e9));
      return;
  }
}

}  // namespace

void LineInterpreter::Read(std::string_view line, const std::vector<LineNumber>& numbers,
                           LineContent& said) {
  std::vector<LinePhase> phases = std::move(said.phases);
  phases.clear();
  said = {};
  said.phases = std::move(phases);
  LogRole before = LogRole::kNone;
  for (const LineNumber& n : numbers) {
    if (n.in_parentheses && n.key.empty()) {
      Mean(n, before, said);
      continue;
    }
    const LogKey& key = Meaning(n.key);
    before = key.role;
    Take(n, key, before, line, said);
  }
  if (!said.iteration) return;
  if (said.step) {
    said.data = said.data ? said.data : said.iteration;
  } else {
    said.step = said.iteration;
  }
}

const LogKey& LineInterpreter::Meaning(std::string_view key) {
  std::size_t slot = key.size();
  if (!key.empty()) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(key[i]); };
    slot += byte(0) * 7U + byte(key.size() / 2) * 31U + byte(key.size() - 1) * 3U;
  }
  KnownKey& known = known_[slot % known_.size()];
  if (known.key != key) known = {key, MeaningOfKey(key)};
  return known.meaning;
}

void LineInterpreter::Forget() { known_ = {}; }

}  // namespace gpuwhy
