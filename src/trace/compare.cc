#include "trace/compare.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "base/i18n.h"
#include "base/median.h"

namespace gpuwhy::trace {
namespace {

// Two profiles of the same step differ by a few kernels (a loss that is logged, a scaler that
// skips): a tenth means other work.
constexpr double kSameWork = 0.10;

// The first step of a profile is often slower than those that follow, if less than a warm-up is.
// One such step among six would hide any change.
constexpr double kSlowStart = 1.25;

// What one side says of each of its measured steps, or of its whole span as the only one.
struct Observed {
  explicit Observed(const FileReport& report) : file(report) {
    for (const Step& step : report.steps.steps) {
      if (step.use != StepUse::kMeasured) continue;
      names.push_back(step.anatomy.name);
      lengths.push_back(step.anatomy.window.Length());
      parts.push_back(step.anatomy.parts);
    }
    DropSlowStart();
    if (!lengths.empty()) return;
    lengths.push_back(report.whole.figures.span_ns);
    parts.push_back(report.whole.parts);
  }

  void DropSlowStart() {
    if (lengths.size() <= kStepsToTell) return;
    const std::vector<std::int64_t> others(lengths.begin() + 1, lengths.end());
    if (static_cast<double>(lengths.front()) <= kSlowStart * static_cast<double>(Median(others)))
      return;
    slow_start = names.front();
    names.erase(names.begin());
    lengths.erase(lengths.begin());
    parts.erase(parts.begin());
  }

  // A kernel's figures of the steps that are compared.
  [[nodiscard]] std::vector<std::int64_t> Compared(std::vector<std::int64_t> by_step) const {
    if (by_step.size() > lengths.size()) by_step.erase(by_step.begin());
    return by_step;
  }

  [[nodiscard]] ComparedSide Side() const {
    return {file.file, file.devices.empty() ? std::string() : file.devices.front().name,
            names.size(), file.steps.source};
  }
  [[nodiscard]] std::vector<std::int64_t> PartOf(std::size_t part) const {
    std::vector<std::int64_t> values;
    for (const Parts& step : parts) values.push_back(step[part]);
    return values;
  }
  [[nodiscard]] std::vector<std::int64_t> ClassOf(KernelClass kernel_class) const {
    std::vector<std::int64_t> values(lengths.size());
    for (const StepKernel& kernel : file.step_kernels) {
      if (kernel.kernel_class != kernel_class) continue;
      const std::vector<std::int64_t> ns = Compared(kernel.ns);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] += ns[i];
    }
    return values;
  }
  [[nodiscard]] std::int64_t WorkAStep() const {
    std::vector<std::int64_t> counts(lengths.size());
    for (const StepKernel& kernel : file.step_kernels) {
      const std::vector<std::int64_t> count = Compared(kernel.count);
      for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += count[i];
    }
    return Median(std::move(counts));
  }

  const FileReport& file;
  std::vector<std::string> names;
  std::vector<std::int64_t> lengths;
  std::vector<Parts> parts;
  std::string slow_start;  // the step that was left out; empty: none
};

template <class Row>
void SortByMove(std::vector<Row>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::abs(a.ns.by) > std::abs(b.ns.by);
  });
}

std::vector<StepPair> PairsOf(const Observed& before, const Observed& after) {
  std::vector<StepPair> pairs(std::max(before.names.size(), after.names.size()));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i < before.names.size()) {
      pairs[i].before = before.names[i];
      pairs[i].before_ns = before.lengths[i];
    }
    if (i < after.names.size()) {
      pairs[i].after = after.names[i];
      pairs[i].after_ns = after.lengths[i];
    }
  }
  return pairs;
}

std::vector<KernelShift> KernelsOfBoth(const Observed& before, const Observed& after) {
  using Sides = std::array<const StepKernel*, 2>;
  std::map<std::string_view, Sides> by_name;
  for (const StepKernel& kernel : before.file.step_kernels) by_name[kernel.name][0] = &kernel;
  for (const StepKernel& kernel : after.file.step_kernels) by_name[kernel.name][1] = &kernel;
  const StepKernel absent_before{{},
                                 KernelClass::kOther,
                                 std::vector<std::int64_t>(before.lengths.size()),
                                 std::vector<std::int64_t>(before.lengths.size())};
  const StepKernel absent_after{{},
                                KernelClass::kOther,
                                std::vector<std::int64_t>(after.lengths.size()),
                                std::vector<std::int64_t>(after.lengths.size())};
  std::vector<KernelShift> shifts;
  for (const auto& [name, sides] : by_name) {
    const StepKernel& one = sides[0] != nullptr ? *sides[0] : absent_before;
    const StepKernel& other = sides[1] != nullptr ? *sides[1] : absent_after;
    KernelShift shift;
    shift.name = std::string(name);
    shift.kernel_class = (sides[0] != nullptr ? one : other).kernel_class;
    shift.presence = sides[1] == nullptr   ? Presence::kGone
                     : sides[0] == nullptr ? Presence::kNew
                                           : Presence::kBoth;
    shift.ns = ShiftOf(before.Compared(one.ns), after.Compared(other.ns));
    shift.count_before = Median(before.Compared(one.count));
    shift.count_after = Median(after.Compared(other.count));
    shifts.push_back(std::move(shift));
  }
  SortByMove(shifts);
  return shifts;
}

std::vector<std::string> ProblemsOf(const Observed& before, const Observed& after,
                                    const TraceComparison& comparison) {
  std::vector<std::string> problems;
  const ComparedSide& one = comparison.before;
  const ComparedSide& other = comparison.after;
  if (one.steps == 0 || other.steps == 0)
    problems.emplace_back(_("where no steps were found the whole span is compared"));
  if (one.step_source != other.step_source && one.steps > 0 && other.steps > 0)
    problems.emplace_back(_("the steps were found in different ways: they may not be the same"));
  for (const Observed* side : {&before, &after}) {
    if (side->slow_start.empty()) continue;
    problems.push_back(
        Format(_("{} of {} is left out: a first step that much longer than the others "
                 "is a start"),
               side->slow_start, side->file.file));
  }
  if (one.steps < kStepsToTell || other.steps < kStepsToTell) {
    problems.push_back(Format(_("to tell a change from noise each trace needs {} measured steps or "
                                "more: these have {} and {}"),
                              kStepsToTell, one.steps, other.steps));
  }
  if (!one.device.empty() && !other.device.empty() && one.device != other.device)
    problems.push_back(
        Format(_("they ran on different devices: {} and {}"), one.device, other.device));
  if (before.file.world_size != after.file.world_size && before.file.world_size > 0 &&
      after.file.world_size > 0) {
    problems.push_back(Format(_("they ran with different numbers of ranks: {} and {}"),
                              before.file.world_size, after.file.world_size));
  }
  const auto old_work = static_cast<double>(before.WorkAStep());
  const auto new_work = static_cast<double>(after.WorkAStep());
  if (old_work > 0 && std::abs(new_work - old_work) > kSameWork * old_work) {
    problems.push_back(Format(
        _("a step holds {} pieces of device work before and {} after: their work may differ"),
        before.WorkAStep(), after.WorkAStep()));
  }
  return problems;
}

}  // namespace

std::string_view Name(Presence presence) {
  switch (presence) {
    case Presence::kBoth:
      return "both";
    case Presence::kGone:
      return "gone";
    case Presence::kNew:
      return "new";
  }
  return "both";
}

TraceComparison CompareTraces(const FileReport& before, const FileReport& after) {
  const Observed one(before);
  const Observed other(after);
  TraceComparison comparison;
  comparison.before = one.Side();
  comparison.after = other.Side();
  comparison.steps = PairsOf(one, other);
  comparison.step_ns = ShiftOf(one.lengths, other.lengths);
  for (std::size_t i = 0; i < kParts; ++i) {
    const Shift shift = ShiftOf(one.PartOf(i), other.PartOf(i));
    if (shift.before != 0 || shift.after != 0 || shift.by != 0)
      comparison.parts.push_back({static_cast<Part>(i), shift});
  }
  SortByMove(comparison.parts);
  for (std::size_t i = 0; i < kKernelClasses; ++i) {
    const auto kernel_class = static_cast<KernelClass>(i);
    const Shift shift = ShiftOf(one.ClassOf(kernel_class), other.ClassOf(kernel_class));
    if (shift.before != 0 || shift.after != 0 || shift.by != 0)
      comparison.classes.push_back({kernel_class, shift});
  }
  SortByMove(comparison.classes);
  comparison.kernels = KernelsOfBoth(one, other);
  comparison.problems = ProblemsOf(one, other, comparison);
  return comparison;
}

}  // namespace gpuwhy::trace
