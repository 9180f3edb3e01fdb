#include "report/trace_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/i18n.h"
#include "report/lines.h"
#include "report/page.h"
#include "report/trace_rank_text.h"
#include "report/trace_words.h"
#include "report/values.h"

namespace gpuwhy {
namespace {

using trace::kParts;
using trace::Part;
using trace::Parts;

double Share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

// One letter a part: the strip shows what most of each slot went to.
char Letter(Part part) {
  constexpr std::array<char, kParts> kLetters = {'#', 'C', '>', '<', '=', '0', 'i',
                                                 'h', 'l', 's', 'a', 'c', 'p', '?'};
  return kLetters.at(static_cast<std::size_t>(part));
}

Parts SumOf(const trace::FileReport& file, std::int64_t& total, std::size_t& steps) {
  Parts sum{};
  for (const trace::Step& step : file.steps.steps) {
    if (step.use != trace::StepUse::kMeasured) continue;
    for (std::size_t i = 0; i < kParts; ++i) sum[i] += step.anatomy.parts[i];
    total += step.anatomy.window.Length();
    ++steps;
  }
  if (steps > 0) return sum;
  total = file.whole.figures.span_ns;
  return file.whole.parts;
}

void WriteSteps(const trace::FileReport& file, std::size_t measured, Page& page) {
  const trace::StepList& list = file.steps;
  if (measured == 0) {
    page.Paragraph(_("No steps were found: the figures are of the whole trace."));
    return;
  }
  std::string text = Format(
      TrN("{} step by {} (confidence {})", "{} steps by {} (confidence {})", measured), measured,
      list.source == "marker"       ? _("the profiler's markers")
      : list.source == "annotation" ? _("ranges that repeat")
                                    : _("the period of the kernels"),
      list.confidence);
  if (list.typical && list.worst) {
    text += Format(_(", typical {}, worst {}"),
                   DurationText(list.steps[*list.typical].anatomy.window.Length()),
                   DurationText(list.steps[*list.worst].anatomy.window.Length()));
  }
  page.Paragraph(text + ".");
  for (const trace::Step& step : list.steps) {
    if (step.use == trace::StepUse::kMeasured) continue;
    page.Paragraph(Format(_("{} ({}) is left out: {}."), step.anatomy.name,
                          DurationText(step.anatomy.window.Length()), std::string(Name(step.use))));
  }
}

void WriteParts(const Parts& parts, std::int64_t total, Page& page) {
  std::vector<std::size_t> order(kParts);
  for (std::size_t i = 0; i < kParts; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return parts[a] > parts[b]; });
  std::vector<std::pair<std::string, std::string>> rows;
  for (const std::size_t i : order) {
    if (parts[i] == 0) continue;
    const auto part = static_cast<Part>(i);
    rows.emplace_back(
        Format("{} {}  {}", std::string(1, Letter(part)),
               PadLeft(PercentText(Share(parts[i], total)), 7), DurationText(parts[i])),
        PartText(part));
  }
  page.Table(rows);
}

void WriteStrips(const trace::FileReport& file, Page& page) {
  for (std::size_t i = 0; i < file.strips.size(); ++i) {
    const trace::Strip& strip = file.strips[i];
    if (strip.slots.empty()) continue;
    std::string slots;
    for (const Part part : strip.slots) slots += Letter(part);
    const char* what = strip.step.empty() ? _("whole") : i == 0 ? _("typical") : _("worst");
    page.Line("  " + PadRight(what, 9) + "|" + slots + "| " + strip.step);
  }
}

void WriteGaps(const trace::FileReport& file, std::size_t most, Page& page) {
  if (file.gaps.empty()) return;
  page.Heading(_("Longest waits of the device"));
  for (std::size_t i = 0; i < file.gaps.size() && i < most; ++i) {
    const trace::GapReport& gap = file.gaps[i];
    std::string text = DurationText(gap.dur_ns) + ": " + PartText(gap.cause);
    if (!gap.host.empty()) text += Format(_(", mostly in {}"), ShortName(gap.host));
    if (!gap.frame.empty()) text += Format(_(", at {}"), ShortName(gap.frame));
    if (!gap.ended_by.empty()) text += Format(_(", ended by {}"), ShortName(gap.ended_by));
    page.Paragraph(text, 2, 2);
  }
}

// Which calls a kernel's time is of: what to change is the call, not the kernel.
void WriteShapes(const trace::KernelRow& row, std::size_t most, Page& page) {
  constexpr double kWorthSaying = 0.05;  // of all work on the device
  constexpr double kTypical = 0.10;      // of the kernel's time, where one call stands for all
  if (row.share < kWorthSaying) return;
  for (std::size_t i = 0; i < row.shapes.size() && i < most; ++i) {
    const trace::KernelShape& shape = row.shapes[i];
    if (most == 1 && Share(shape.sum_ns, row.sum_ns) < kTypical) return;
    page.Paragraph(Format(_("{} of it by {}, inputs {} ({} x {})"),
                          PercentText(Share(shape.sum_ns, row.sum_ns)), ShortName(shape.op),
                          ShortName(shape.inputs), shape.count,
                          DurationText(shape.sum_ns / static_cast<std::int64_t>(shape.count))),
                   10, 12);
  }
}

void WriteKernels(const trace::FileReport& file, std::size_t most, std::size_t shapes, Page& page) {
  const trace::KernelFigures& kernels = file.kernels;
  if (kernels.rows.empty()) return;
  page.Heading(_("Work on the device, by time"));
  for (std::size_t i = 0; i < kernels.rows.size() && i < most; ++i) {
    const trace::KernelRow& row = kernels.rows[i];
    page.Paragraph(Format("{} {} x {}  [{}] {}", PadLeft(PercentText(row.share), 7), row.count,
                          DurationText(row.sum_ns / static_cast<std::int64_t>(row.count)),
                          std::string(Name(row.kernel_class)), ShortName(row.name)),
                   2, 10);
    WriteShapes(row, shapes, page);
  }
  if (kernels.tiny_share) {
    page.Paragraph(
        Format(_("{} of the kernels are shorter than 10 us."), PercentText(*kernels.tiny_share)));
  }
  if (kernels.launch_p50_ns && kernels.launch_p99_ns) {
    page.Paragraph(Format(_("From launch to start: median {}, 99th percentile {}."),
                          DurationText(*kernels.launch_p50_ns),
                          DurationText(*kernels.launch_p99_ns)));
  }
  if (kernels.pageable_h2d.count > 0) {
    const Reading<double> rate = kernels.pageable_h2d.BytesPerSecond();
    page.Paragraph(Format(
        _("{} copies to the device from pageable memory{}: pinned memory is "
          "faster and can overlap."),
        kernels.pageable_h2d.count,
        rate ? Format(_(" at {}"), QuantityText(*rate, Unit::kBytesPerSecond)) : std::string()));
  }
}

void WriteWhatIf(const trace::FileReport& file, Page& page) {
  constexpr double kWorthSaying = 0.01;
  const bool any = std::any_of(file.what_if.begin(), file.what_if.end(),
                               [](const trace::WhatIf& w) { return w.gain >= kWorthSaying; });
  if (!any) return;
  page.Heading(_("At most to be gained"));
  for (const trace::WhatIf& answer : file.what_if) {
    if (answer.gain < kWorthSaying) continue;
    page.Paragraph(Format(_("{} {}, if {}"), PadLeft(PercentText(answer.gain), 7),
                          ChangeText(answer.change), Assumption(answer.change)),
                   2, 10);
  }
  if (!file.what_if.front().reliable) {
    page.Paragraph(
        _("The replay of this trace differs from what was recorded by more than 10 %: "
          "take these as a direction."));
  }
}

void WriteFile(const trace::FileReport& file, const TextOptions& options, Page& page) {
  std::int64_t total = 0;
  std::size_t measured = 0;
  const Parts parts = SumOf(file, total, measured);
  page.Heading(file.file);
  const std::string device =
      file.devices.empty() || file.devices.front().name.empty() ? "" : file.devices.front().name;
  page.Paragraph(
      Format(_("{} events, {} on {} device(s) {}; span {}, device busy {}."), file.events,
             file.gpu_events, file.devices.size(), device, DurationText(file.whole.figures.span_ns),
             PercentText(Share(file.whole.figures.busy_ns, file.whole.figures.span_ns))));
  for (const std::string& problem : file.problems) page.Paragraph(Format(_("Note: {}."), problem));
  if (file.gpu_events == 0) {
    page.Paragraph(
        file.problems.empty()
            ? _("The trace holds no device work: record it with CUDA or ROCm activities.")
            : _("The trace holds no device work that can be used: the notes may say why, or it was "
                "recorded without CUDA or ROCm activities."));
    return;
  }
  WriteSteps(file, measured, page);
  WriteParts(parts, total, page);
  WriteStrips(file, page);
  WriteGaps(file, options.verbose ? 20 : 5, page);
  WriteKernels(file, options.verbose ? 20 : 6, options.verbose ? trace::kMostKernelShapes : 1,
               page);
  WriteWhatIf(file, page);
}

// Of many ranks: the late ones, and one that the others are like.
std::vector<const trace::FileReport*> ShownOf(const trace::TraceReport& report,
                                              const TextOptions& options) {
  constexpr std::size_t kFew = 4;
  constexpr std::size_t kMostLate = 2;
  std::vector<const trace::FileReport*> shown;
  const std::vector<trace::RankWait>& waits = report.ranks.waits;
  if (options.verbose || report.files.size() <= kFew || waits.size() != report.files.size()) {
    for (const trace::FileReport& file : report.files) shown.push_back(&file);
    return shown;
  }
  for (std::size_t i = 0; i < report.ranks.stragglers.size() && i < kMostLate; ++i) {
    const std::int64_t rank = report.ranks.stragglers[i].rank;
    const auto it = std::find_if(waits.begin(), waits.end(),
                                 [&](const trace::RankWait& w) { return w.rank == rank; });
    if (it != waits.end())
      shown.push_back(&report.files[static_cast<std::size_t>(it - waits.begin())]);
  }
  std::vector<std::size_t> order(waits.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return waits[a].wait_ns < waits[b].wait_ns;
  });
  const trace::FileReport* typical = &report.files[order[order.size() / 2]];
  if (std::find(shown.begin(), shown.end(), typical) == shown.end()) shown.push_back(typical);
  return shown;
}

}  // namespace

std::string RenderTraceText(const trace::TraceReport& report, const Diagnosis& diagnosis,
                            const TextOptions& options) {
  if (options.answer_only) return RenderText(diagnosis, options);
  Page page(options.color, options.width);
  WriteRanks(report.ranks, page);
  const std::vector<const trace::FileReport*> shown = ShownOf(report, options);
  for (const trace::FileReport* file : shown) WriteFile(*file, options, page);
  if (const std::size_t left = report.files.size() - shown.size(); left > 0)
    page.Paragraph(Format(_("{} more files are like these; --verbose shows all."), left));
  return RenderText(diagnosis, options) + std::move(page).Text();
}

}  // namespace gpuwhy
