#include "report/compare_text.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/i18n.h"
#include "report/lines.h"
#include "report/page.h"
#include "report/trace_words.h"
#include "report/values.h"

namespace gpuwhy {
namespace {

using trace::KernelShift;
using trace::Moved;
using trace::Presence;
using trace::Shift;
using trace::TraceComparison;

// What moved by less of a step is no reason for anything.
constexpr double kWorthSaying = 0.005;

std::string SignedDuration(std::int64_t ns) {
  return (ns < 0 ? "-" : "+") + DurationText(std::abs(ns));
}

std::string Verdict(const Shift& shift) {
  switch (shift.moved) {
    case Moved::kUp:
    case Moved::kDown:
      return Format(_("{} to {}"), SignedDuration(shift.low), SignedDuration(shift.high));
    case Moved::kWithinNoise:
      return _("within noise");
    case Moved::kCannotTell:
      return _("can't tell: needs more steps");
  }
  return {};
}

class CompareText {
 public:
  CompareText(const TraceComparison& comparison, const TextOptions& options)
      : comparison_(comparison), options_(options), page_(options.color, options.width) {}

  std::string Run() && {
    WriteAnswer();
    if (options_.answer_only) return std::move(page_).Text();
    WriteFiles();
    WriteParts();
    WriteClasses();
    WriteKernels(Presence::kBoth, _("Work on the device that moved, a step"));
    WriteKernels(Presence::kNew, _("Only after"));
    WriteKernels(Presence::kGone, _("Only before"));
    return std::move(page_).Text();
  }

 private:
  void WriteAnswer() {
    const Shift& step = comparison_.step_ns;
    const double share =
        step.before > 0 ? static_cast<double>(step.by) / static_cast<double>(step.before) : 0;
    std::string answer;
    switch (step.moved) {
      case Moved::kUp:
        answer = Format(_("The step is {} longer"), PercentText(share));
        break;
      case Moved::kDown:
        answer = Format(_("The step is {} shorter"), PercentText(-share));
        break;
      case Moved::kWithinNoise:
        answer = _("The step is as long as before, within noise");
        break;
      case Moved::kCannotTell:
        answer = Format(_("Can't tell whether the step changed: {} of {}"), SignedDuration(step.by),
                        DurationText(step.before));
        break;
    }
    page_.Line(answer + ".", Ink::kBold);
    page_.Paragraph(Format(_("{} -> {}, {} and {} steps: {}."), DurationText(step.before),
                           DurationText(step.after), comparison_.before.steps,
                           comparison_.after.steps, Verdict(step)));
  }

  void WriteFiles() {
    page_.Paragraph(Format(_("before: {}"), comparison_.before.file));
    page_.Paragraph(Format(_("after:  {}"), comparison_.after.file));
    for (const std::string& problem : comparison_.problems)
      page_.Paragraph(Format(_("Note: {}."), problem));
  }

  [[nodiscard]] bool IsWorth(const Shift& shift) const {
    return options_.verbose || std::abs(static_cast<double>(shift.by)) >=
                                   kWorthSaying * static_cast<double>(comparison_.step_ns.before);
  }

  static std::pair<std::string, std::string> Row(const Shift& shift, const std::string& what) {
    return {PadLeft(SignedDuration(shift.by), 9) + "  " +
                Format(_("{} -> {}"), DurationText(shift.before), DurationText(shift.after)),
            Format(_("{} ({})"), what, Verdict(shift))};
  }

  void WriteParts() {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const trace::PartShift& part : comparison_.parts) {
      if (IsWorth(part.ns)) rows.push_back(Row(part.ns, PartText(part.part)));
    }
    page_.Heading(_("Where it moved, a step"));
    WriteRows(rows, comparison_.parts.size());
  }

  void WriteClasses() {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const trace::ClassShift& one : comparison_.classes) {
      if (IsWorth(one.ns)) rows.push_back(Row(one.ns, std::string(Name(one.kernel_class))));
    }
    page_.Heading(_("Device time by class of work, a step"));
    WriteRows(rows, comparison_.classes.size());
  }

  void WriteRows(const std::vector<std::pair<std::string, std::string>>& rows, std::size_t all) {
    page_.Table(rows);
    if (rows.size() < all) {
      page_.Paragraph(Format(_("{} more moved by less than {} of the step."), all - rows.size(),
                             PercentText(kWorthSaying)));
    }
  }

  void WriteKernels(Presence presence, const char* heading) {
    const std::size_t most = options_.verbose ? 40 : 8;
    std::size_t shown = 0;
    std::size_t left = 0;
    for (const KernelShift& kernel : comparison_.kernels) {
      if (kernel.presence != presence) continue;
      if (shown == most || !IsWorth(kernel.ns)) {
        ++left;
        continue;
      }
      if (shown++ == 0) page_.Heading(heading);
      page_.Paragraph(
          Format(_("{}  {} x {} -> {} x {} ({})  [{}] {}"), SignedDuration(kernel.ns.by),
                 kernel.count_before, Each(kernel.ns.before, kernel.count_before),
                 kernel.count_after, Each(kernel.ns.after, kernel.count_after), Verdict(kernel.ns),
                 std::string(Name(kernel.kernel_class)), ShortName(kernel.name)),
          2, 11);
    }
    if (shown > 0 && left > 0) page_.Paragraph(Format(_("and {} smaller ones."), left));
  }

  static std::string Each(std::int64_t ns, std::int64_t count) {
    return DurationText(count > 0 ? ns / count : 0);
  }

  const TraceComparison& comparison_;
  const TextOptions& options_;
  Page page_;
};

}  // namespace

std::string RenderCompareText(const TraceComparison& comparison, const TextOptions& options) {
  return CompareText(comparison, options).Run();
}

}  // namespace gpuwhy
