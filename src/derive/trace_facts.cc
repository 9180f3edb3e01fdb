#include "derive/trace_facts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/i18n.h"
#include "derive/fact_writer.h"
#include "derive/step_shares.h"
#include "derive/trace_rank_facts.h"

namespace gpuwhy {
namespace {

using trace::Change;
using trace::FileReport;
using trace::Part;
using trace::StepFigure;
using trace::StepUse;

constexpr double kNanos = 1e9;

MonoTime At(std::int64_t ns) { return {Nanos(ns)}; }

// The folder would be said with each piece of evidence: the subject or the inputs name it.
std::string SourceText(const FileReport& file, std::size_t steps) {
  const std::string name = file.file.substr(file.file.find_last_of('/') + 1);
  return Format(_("{} ({} steps, {} device events)"), name, steps, file.gpu_events);
}

class FileFacts {
 public:
  FileFacts(FactSet& facts, const FileReport& file, Subject subject)
      : facts_(facts), file_(file), subject_(std::move(subject)), shares_(file.steps) {
    steps_ = static_cast<double>(shares_.Count());
    const trace::Span window = trace::MeasuredWindow(file.steps);
    const bool known = shares_.Count() > 0;
    scope_ = {At(known ? window.start : file.span.start), At(known ? window.end : file.span.end),
              ScopePart::kInStep};
  }

  void Write() {
    if (shares_.Count() == 0) {
      WriteMissing();
      return;
    }
    Number(FactId::kStepTime, StatKind::kP50, shares_.MedianSeconds());
    Text(FactId::kTraceFile, file_.file);
    Text(FactId::kStepConfidence, file_.steps.confidence);
    WriteParts();
    WriteFigures();
    WriteStart();
    WriteGains();
    WriteKernels();
    if (!facts_.step) facts_.step = shares_.Facts(file_.steps.source);
  }

 private:
  void WriteMissing() {
    const char* why = file_.gpu_events == 0 ? _("the trace holds no device work")
                                            : _("no whole step was found in the trace");
    Number(FactId::kStepTime, StatKind::kP50, Missing{Why::kNotPresent, why});
  }

  void WriteParts() {
    const std::vector<std::pair<FactId, std::vector<Part>>> rows = {
        {FactId::kStepCompute, {Part::kCompute}},
        {FactId::kStepComm, {Part::kComm}},
        {FactId::kStepH2D, {Part::kH2D}},
        {FactId::kStepD2H, {Part::kD2H}},
        {FactId::kStepD2D, {Part::kD2D}},
        {FactId::kStepTransfer, {Part::kH2D, Part::kD2H}},
        {FactId::kStepIdle,
         {Part::kInputWait, Part::kHost, Part::kLaunch, Part::kSync, Part::kAlloc, Part::kCompile,
          Part::kOtherPhase, Part::kUnexplained}},
        {FactId::kStepInputWait, {Part::kInputWait}},
        {FactId::kStepHost, {Part::kHost}},
        {FactId::kStepLaunch, {Part::kLaunch}},
        {FactId::kStepSync, {Part::kSync}},
        {FactId::kStepAlloc, {Part::kAlloc}},
        {FactId::kStepCompile, {Part::kCompile}},
        {FactId::kStepOtherPhase, {Part::kOtherPhase}},
        {FactId::kStepUnexplained, {Part::kUnexplained}}};
    for (const auto& [id, parts] : rows) Share(id, shares_.OfParts(parts));
    const double compiling = shares_.StepsWith(Part::kCompile) / steps_;
    Number(FactId::kStepCompileSteps, StatKind::kShare, compiling);
    Number(FactId::kStepPhaseSteps, StatKind::kLast, shares_.StepsWith(Part::kOtherPhase));
    // What copies and all the rest need at least, were they side by side: the longer of the two.
    const trace::Figures& figures = file_.whole.figures;
    const auto span = static_cast<double>(figures.span_ns);
    const auto copies =
        static_cast<double>(figures.union_ns[static_cast<std::size_t>(trace::Work::kH2D)] +
                            figures.union_ns[static_cast<std::size_t>(trace::Work::kD2H)]);
    const double exposed = shares_.OfParts({Part::kH2D, Part::kD2H}).share;
    if (span > 0) {
      Number(FactId::kTraceOverlapBound, StatKind::kShare,
             std::clamp(1 - std::max(1 - exposed, copies / span), 0.0, exposed));
    }
  }

  void WriteFigures() {
    const trace::StepFigures& figures = file_.step_figures;
    const std::vector<std::pair<FactId, StepFigure>> rows = {
        {FactId::kStepDispatch, StepFigure::kDispatch},
        {FactId::kStepDispatchSure, StepFigure::kDispatchSure},
        {FactId::kStepStall, StepFigure::kStall},
        {FactId::kStepQueued, StepFigure::kQueued},
        {FactId::kStepSyncBubble, StepFigure::kSyncBubble},
        {FactId::kStepPageable, StepFigure::kPageableH2D},
        {FactId::kStepReformat, StepFigure::kReformat},
        {FactId::kStepPlainFp32, StepFigure::kPlainFp32},
        {FactId::kStepPlainHalf, StepFigure::kPlainHalf},
        {FactId::kStepOptimizer, StepFigure::kOptimizer}};
    for (const auto& [id, figure] : rows) Share(id, shares_.OfRows(figures.rows, figure));
    if (facts_.Find(FactId::kStepPeerWait, subject_) != nullptr) {
      // Matched across ranks.
    } else if (figures.sized_collectives == figures.collectives) {
      Share(FactId::kStepPeerWait, shares_.OfRows(figures.rows, StepFigure::kPeerWait));
    } else {
      Number(FactId::kStepPeerWait, StatKind::kShare,
             Missing{Why::kNotPresent, _("the trace does not say how large the collectives are")});
    }
    Number(FactId::kStepGaps, StatKind::kMean, static_cast<double>(figures.gaps) / steps_);
    if (!figures.sync_call.empty()) Text(FactId::kStepSyncCall, figures.sync_call);
    if (!figures.stall_event.empty()) Text(FactId::kStepStallEvent, figures.stall_event);
    if (figures.long_launches > 0) {
      Number(FactId::kTraceBlocking, StatKind::kShare,
             static_cast<double>(figures.blocking_launches) /
                 static_cast<double>(figures.long_launches),
             figures.long_launches);
    }
  }

  void WriteStart() {
    const std::vector<trace::Step>& steps = file_.steps.steps;
    if (steps.empty() || steps.front().use != StepUse::kWarmUp) return;
    const double first = static_cast<double>(steps.front().anatomy.window.Length()) / kNanos;
    const double median = shares_.MedianSeconds();
    if (median > 0) Number(FactId::kStepFirst, StatKind::kLast, first / median);
  }

  void WriteGains() {
    static constexpr std::pair<Change, FactId> kRows[] = {
        {Change::kNoInputWait, FactId::kGainInput},
        {Change::kCopiesOverlapped, FactId::kGainCopies},
        {Change::kLaunchesBatched, FactId::kGainLaunches},
        {Change::kCommunicationHidden, FactId::kGainComm},
        {Change::kNoSynchronisation, FactId::kGainSync}};
    for (const auto& [change, id] : kRows) {
      const auto played =
          std::find_if(file_.what_if.begin(), file_.what_if.end(),
                       [change = change](const trace::WhatIf& w) { return w.change == change; });
      if (played == file_.what_if.end()) {
        Number(id, StatKind::kShare,
               Missing{Why::kNotPresent, _("the trace holds no launches to replay")});
      } else if (!played->reliable) {
        Number(id, StatKind::kShare,
               Missing{Why::kNotSupported,
                       _("a replay of the trace differs from the record by over 10 %")});
      } else {
        Number(id, StatKind::kShare, played->gain);
      }
    }
  }

  void WriteKernels() {
    const trace::KernelFigures& kernels = file_.kernels;
    if (kernels.tiny_share) Number(FactId::kTraceTiny, StatKind::kShare, *kernels.tiny_share);
    if (kernels.small_grid_share)
      Number(FactId::kTraceSmallGrids, StatKind::kShare, *kernels.small_grid_share);
    if (kernels.launch_p50_ns) {
      Number(FactId::kTraceLaunchLatency, StatKind::kP50,
             static_cast<double>(*kernels.launch_p50_ns) / kNanos);
    }
    const Reading<double> pageable = kernels.pageable_h2d.BytesPerSecond();
    const Reading<double> pinned = kernels.pinned_h2d.BytesPerSecond();
    if (pageable) {
      Number(FactId::kTracePageableRate, StatKind::kMean, *pageable, kernels.pageable_h2d.count);
    }
    if (pinned) {
      Number(FactId::kTracePinnedRate, StatKind::kMean, *pinned, kernels.pinned_h2d.count);
    }
  }

  [[nodiscard]] Fact Start(FactId id, StatKind kind, std::uint64_t n) const {
    Fact fact;
    fact.id = id;
    fact.subject = subject_;
    fact.scope = scope_;
    fact.stat = {kind, n, 1};
    fact.provenance = {"trace", SourceText(file_, shares_.Count()), Origin::kComputed};
    return fact;
  }
  void Share(FactId id, const StepShare& share) {
    Fact fact = Start(id, StatKind::kShare, shares_.Count());
    fact.value = FactValue(share.share);
    fact.interval = {share.low, share.share};
    facts_.Add(std::move(fact));
  }
  // n 0: of the steps.
  void Number(FactId id, StatKind kind, const Reading<double>& value, std::uint64_t n = 0) {
    Fact fact = Start(id, kind, n == 0 ? shares_.Count() : n);
    if (value) {
      fact.value = FactValue(*value);
      fact.interval = {*value, *value};
    } else {
      fact.value = value.missing();
    }
    facts_.Add(std::move(fact));
  }
  void Text(FactId id, const std::string& text) {
    Fact fact = Start(id, StatKind::kLast, shares_.Count());
    fact.value = FactValue(text);
    facts_.Add(std::move(fact));
  }

  FactSet& facts_;
  const FileReport& file_;
  Subject subject_;
  StepShares shares_;
  double steps_ = 0;
  Scope scope_;
};

}  // namespace

std::vector<Subject> SubjectsOf(const trace::TraceReport& report) {
  std::map<std::int64_t, std::size_t> seen;
  for (const FileReport& file : report.files) ++seen[file.rank];
  std::vector<Subject> subjects;
  subjects.reserve(report.files.size());
  for (const FileReport& file : report.files) {
    const bool named = file.rank >= 0 && seen[file.rank] == 1;
    subjects.push_back(named ? Subject{SubjectKind::kRank, std::to_string(file.rank)}
                             : Subject{SubjectKind::kFile, file.file});
  }
  return subjects;
}

FactSet DeriveTrace(const trace::TraceReport& report) {
  FactSet facts;
  facts.traced = true;
  facts.nothing_seen = true;
  const std::vector<Subject> subjects = SubjectsOf(report);
  // First: where ranks were matched, their waits are measured and not inferred from one rank.
  AddRankFacts(report, subjects, facts);
  for (std::size_t i = 0; i < report.files.size(); ++i) {
    FileFacts(facts, report.files[i], subjects[i]).Write();
    if (report.files[i].gpu_events > 0) facts.nothing_seen = false;
  }
  if (!report.files.empty()) {
    const trace::Span& span = report.files.front().span;
    facts.window = {At(span.start), At(span.end), ScopePart::kWhole};
  }
  return facts;
}

}  // namespace gpuwhy
