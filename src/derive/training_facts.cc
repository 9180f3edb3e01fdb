#include "derive/training_facts.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/i18n.h"
#include "base/quantile.h"

namespace gpuwhy {
namespace {

/// Loops print every ten or twenty steps: a single line up to here holds the start of the loader.
constexpr double kFirstPrint = 20;

double Mean(const NumberSeries& s) {
  return s.count > 0 ? s.sum / static_cast<double>(s.count) : 0;
}

/// Steps as the log gives them; where it gives none, as its time stamps do.
const NumberSeries& StepSeries(const TrainingLog& log) {
  return log.step_s.count > 0 ? log.step_s : log.stamp_step_s;
}

/// Without the first: it holds compilation, warm-up or only the dispatch. A second and third
/// compile for other shapes: those that follow it as plainly slow go with it, at most a fifth of
/// them all.
std::vector<double> SteadyPoints(const NumberSeries& series) {
  constexpr double kPlainly = 3;
  const std::vector<double>& points = series.points;
  if (points.size() < 3) return points;
  auto begin = points.begin() + 1;
  const double median = Quantile({begin, points.end()}, 0.5);
  const auto latest = points.begin() + static_cast<std::ptrdiff_t>(points.size() / 5);
  while (begin<latest&& * begin> kPlainly * median) ++begin;
  return {begin, points.end()};
}

/// Without the first where it plainly holds start-up: how long steps take is said of the others.
std::vector<double> WithoutStartUp(const NumberSeries& series) {
  const std::vector<double>& points = series.points;
  constexpr double kPlainly = 2;
  if (points.size() < 3) return points;
  std::vector<double> others(points.begin() + 1, points.end());
  return points.front() > kPlainly * Quantile(others, 0.5) ? others : points;
}

struct DataShare {
  double share = 0;
  double step_s = 0, data_s = 0;
  std::uint64_t n = 0;
};

/// What the steps between the first and the last printed means took: means since the start of an
/// epoch, times the steps behind them. The first line holds start-up, which a mean never forgets.
/// nullopt where the figures do not bear that out, as with means of the last few steps only.
std::optional<DataShare> BetweenMeans(const TrainingLog& log) {
  if (!log.first_means || !log.last_means) return std::nullopt;
  const RunningMeans& first = *log.first_means;
  const RunningMeans& last = *log.last_means;
  const double steps = last.index - first.index;
  constexpr double kFewest = 10;
  constexpr double kMost = 1e12;
  if (!(steps >= kFewest) || !(last.index < kMost) || first.index < 0) return std::nullopt;
  // Counts start at 0: behind the line of step i there are i + 1 steps.
  const auto between = [&](double before, double after) {
    return (after * (last.index + 1) - before * (first.index + 1)) / steps;
  };
  const double step = between(first.step_s, last.step_s);
  const double data = between(first.data_s, last.data_s);
  const std::vector<double> printed = SteadyPoints(log.step_s);
  if (printed.empty()) return std::nullopt;
  const auto [least, most] = std::minmax_element(printed.begin(), printed.end());
  if (step < *least / 2 || step > *most * 2 || data < 0 || data > step) return std::nullopt;
  return DataShare{data / step, step, data, static_cast<std::uint64_t>(steps)};
}

/// A running mean speaks of every step, a printed value of one in many.
std::optional<DataShare> ShareOfData(const TrainingLog& log) {
  if (const std::optional<DataShare> share = BetweenMeans(log)) return share;
  if (log.mean_step_s && log.mean_data_s && *log.mean_step_s > 0) {
    return DataShare{*log.mean_data_s / *log.mean_step_s, *log.mean_step_s, *log.mean_data_s,
                     log.step_s.count};
  }
  const NumberSeries& data = log.data_s;
  const NumberSeries& step = log.data_step_s;
  if (data.count == 0 || step.sum + data.sum <= 0) return std::nullopt;
  // One line of the first print tells of warm-up, not of the run.
  if (data.count == 1 && log.last_step && *log.last_step <= kFirstPrint) return std::nullopt;
  double data_sum = data.sum;
  double step_sum = step.sum;
  auto n = static_cast<double>(data.count);
  // The first batch of a run waits for workers to start.
  if (data.count >= 3 && log.first_step && *log.first_step <= 1 &&
      data.first > 3 * (data.sum - data.first) / (n - 1)) {
    data_sum -= data.first;
    step_sum -= step.first;
    n -= 1;
  }
  // Data that takes longer than the step is no part of it.
  if (log.data_over_step > 0 && data.max > 1.5 * step.max) step_sum += data_sum;
  if (step_sum <= 0 || n <= 0) return std::nullopt;
  return DataShare{std::clamp(data_sum / step_sum, 0.0, 1.0), step_sum / n, data_sum / n,
                   data.count};
}

void WriteDataShare(const TrainingLog& log, LogWriter& writer) {
  const std::optional<DataShare> share = ShareOfData(log);
  if (!share) return;
  writer.Computed(FactId::kLogDataShare, StatKind::kShare, share->n,
                  std::clamp(share->share, 0.0, 1.0));
  writer.Computed(FactId::kLogDataTime, StatKind::kMean, share->n, share->data_s);
  writer.Line(FactId::kLogMeansLine, log.means_line);
  writer.Line(FactId::kLogDataLine, log.slowest_data);
}

/// Last third over first third. Both medians, so that a few slow steps are no drift; and nearly all
/// of the last third must lie above the median of the first.
void WriteDrift(const NumberSeries& series, LogWriter& writer) {
  const std::vector<double> points = SteadyPoints(series);
  constexpr std::size_t kFewest = 9;
  if (points.size() < kFewest) return;
  const auto third = static_cast<std::ptrdiff_t>(points.size() / 3);
  const auto before = Quantile({points.begin(), points.begin() + third}, 0.5);
  const std::vector<double> late(points.end() - third, points.end());
  const double after = Quantile(late, 0.5);
  if (before <= 0) return;
  const auto above = std::count_if(late.begin(), late.end(), [&](double x) { return x > before; });
  const bool steady = static_cast<double>(above) >= 0.8 * static_cast<double>(late.size());
  writer.Computed(FactId::kLogStepDrift, StatKind::kSlope, series.count,
                  steady || after <= before ? after / before - 1 : 0);
}

/// Time above three medians in single steps. Data that is no part of the step counts as well.
void WriteJitter(const TrainingLog& log, LogWriter& writer) {
  const NumberSeries& series =
      log.data_over_step > 0 && log.data_s.max > log.step_s.max ? log.data_s : StepSeries(log);
  std::vector<double> points = SteadyPoints(series);
  constexpr std::size_t kFewest = 5;
  if (points.size() < kFewest) return;
  const double median = Quantile(points, 0.5);
  double lost = 0;
  double total = 0;
  const double normal =
      series.count == log.data_s.count && &series == &log.data_s ? Mean(log.step_s) : median;
  for (const double x : points) {
    total += x;
    if (x > 3 * std::max(median, normal)) lost += x - median;
  }
  if (total > 0)
    writer.Computed(FactId::kLogStepJitter, StatKind::kShare, series.count, lost / total);
}

double SumOf(const TrainingLog& log, PhaseKind kind) {
  double sum = 0;
  for (const PhaseTime& phase : log.phases) sum += phase.kind == kind ? phase.seconds.sum : 0;
  return sum;
}

void WritePhases(const TrainingLog& log, LogWriter& writer) {
  if (log.phases.empty()) return;
  const double compute = SumOf(log, PhaseKind::kForward) + SumOf(log, PhaseKind::kBackward);
  const double optimizer = SumOf(log, PhaseKind::kOptimizer);
  // Where the step itself is not printed its three parts are it; what communicates lies in them.
  const double total = log.phase_step_s.sum > 0 ? log.phase_step_s.sum : compute + optimizer;
  if (total <= 0) return;
  const std::uint64_t n = log.phases.front().seconds.count;
  const auto share = [&](FactId id, double part) {
    writer.Computed(id, StatKind::kShare, n, std::clamp(part / total, 0.0, 1.0));
  };
  share(FactId::kLogComputeShare, compute);
  share(FactId::kLogOptimizerShare, optimizer);
  share(FactId::kLogCommShare, SumOf(log, PhaseKind::kCommunication));
  share(FactId::kLogPipelineShare, SumOf(log, PhaseKind::kPipeline));
  share(FactId::kLogEvaluationShare, SumOf(log, PhaseKind::kEvaluation));
  writer.Line(FactId::kLogPhasesLine, log.phases_line);
}

/// A mean since the start goes towards the rate of now: one way, and ever slower, by 1/n after n
/// steps. What goes to and fro is none, nor what falls as fast at the end as at the beginning.
bool SettlesOneWay(const std::vector<double>& values) {
  constexpr double kSettled = 0.4;
  double path = 0;
  double late = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double moved = std::abs(values[i] - values[i - 1]);
    path += moved;
    if (2 * i > values.size()) late += moved;
  }
  return std::abs(values.back() - values.front()) >= path / 2 && late <= kSettled * path;
}

/// A rate that runs away from the time stamps, or whose own words say so, is a mean since the
/// start.
void WriteRate(const TrainingLog& log, LogWriter& writer) {
  if (log.rate.count < 2) return;
  const RateDrop& drop = log.rate_drop;
  const double fall = drop.from > 0 ? 1 - drop.to / drop.from : 0;
  double drift = 0;
  const std::vector<double> stamps = SteadyPoints(log.stamp_step_s);
  const std::vector<double>& rates = log.rate.points;
  if (stamps.size() >= 5 && rates.size() >= 5) {
    const auto half = static_cast<std::ptrdiff_t>(stamps.size() / 2);
    const auto early = Quantile({stamps.begin(), stamps.begin() + half}, 0.5);
    const auto late = Quantile({stamps.end() - half, stamps.end()}, 0.5);
    const bool even = early > 0 && std::abs(late / early - 1) < 0.05;
    const double moved = std::abs(rates.back() / rates.front() - 1);
    if (even && moved >= 0.1 && SettlesOneWay(rates)) drift = moved;
  }
  const bool means = drift > 0 || log.rate_running_mean;
  if (!means) return;
  writer.Computed(FactId::kLogRateRunningMean, StatKind::kDelta, log.rate.count, drift);
  // Lines of several ranks disagree by their noise: only a fall over one percent is one.
  if (log.rate_running_mean && drop.at_step > 0 && fall > 0.01) {
    writer.Computed(FactId::kLogRateFall, StatKind::kMax, log.rate.count, fall);
  }
  writer.Line(FactId::kLogRateLine, drop.before);
  writer.Line(FactId::kLogRateLine, drop.after);
}

void WriteNumbers(const TrainingLog& log, LogWriter& writer) {
  // A gradient that overflows now and then is what loss scaling works with.
  const bool most_gradients = log.grad_bad > 3 && log.grad_bad > log.grad_norm.count;
  const std::uint64_t bad = log.loss_bad + (most_gradients ? log.grad_bad : 0);
  if (bad > 0) {
    writer.Computed(FactId::kLogBadLosses, StatKind::kDelta, log.loss.count + log.loss_bad,
                    static_cast<double>(bad));
    for (const QuotedLine& quote : log.bad_quotes) writer.Line(FactId::kLogBadLine, quote);
  }
  if (log.loss_scale.count > 0) {
    writer.Computed(FactId::kLogLossScale, StatKind::kLast, log.loss_scale.count,
                    log.loss_scale.min);
  }
}

void WriteSteps(const TrainingLog& log, LogWriter& writer, FactSet& facts) {
  const NumberSeries& steps = StepSeries(log);
  if (log.epoch_s.count > 0) {
    writer.Computed(FactId::kLogEpochTime, StatKind::kMean, log.epoch_s.count, Mean(log.epoch_s));
  }
  if (steps.count == 0) return;
  const std::vector<double> points = WithoutStartUp(steps);
  const double median = Quantile(points, 0.5);
  const std::uint64_t left_out = points.size() < steps.points.size() ? 1 : 0;
  writer.Computed(FactId::kLogSteps, StatKind::kDelta, 0, static_cast<double>(steps.count));
  writer.Computed(FactId::kLogStepTime, StatKind::kP50, steps.count - left_out, median);
  writer.Line(FactId::kLogSlowestLine, log.slowest);
  writer.Line(FactId::kLogLine, log.last_line);
  if (facts.step || median <= 0) return;
  StepFacts step;
  step.count = steps.count - left_out;
  step.left_out = left_out;
  if (log.spanned_steps > 0 && &steps == &log.step_s) step.span = log.spanned_steps + 1;
  step.median_s = median;
  step.p95_s = Quantile(points, 0.95);
  if (log.rate.count > 0) {
    step.throughput = log.rate.last;
    step.unit = log.rate_unit;
  }
  step.source = writer.Input().id;
  facts.step = step;
}

void NoteBlinds(const TrainingLog& log, FactSet& facts) {
  const bool timed = log.step_s.count > 0 || log.stamp_step_s.count > 0;
  if (!timed) {
    facts.blinds.push_back(
        {_("how long one step takes"),
         _("the log prints no time of a step"),
         _("print the time of each step and, apart from it, the wait for its batch"),
         {"step.input-bound", "job.slowing", "job.jitter"}});
  } else if (log.step_s.count == 1 && log.last_step && *log.last_step <= kFirstPrint) {
    facts.blinds.push_back({_("how long steps take once the run is warm"),
                            _("the log shows only the first step, which holds start-up"),
                            _("take lines of later steps"),
                            {"step.input-bound", "step.compute-bound"}});
  } else if (log.data_s.count == 0 && log.phases.empty()) {
    facts.blinds.push_back(
        {_("what the step's time is spent on"),
         _("the log prints the step as one figure: waiting for data, computing and communicating "
           "look alike in it"),
         _("print the wait for the batch apart from the step, or run gpuwhy while the job runs"),
         {"step.input-bound", "step.compute-bound", "scaling.comm-bound"}});
  }
}

}  // namespace

void DeriveTraining(const TrainingLog& log, LogWriter& writer, FactSet& facts) {
  WriteSteps(log, writer, facts);
  WriteDataShare(log, writer);
  WriteDrift(StepSeries(log), writer);
  WriteJitter(log, writer);
  WritePhases(log, writer);
  WriteRate(log, writer);
  WriteNumbers(log, writer);
  NoteBlinds(log, facts);
}

}  // namespace gpuwhy
