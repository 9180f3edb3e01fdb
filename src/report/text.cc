#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/job_lead.h"
#include "report/job_text.h"
#include "report/page.h"
#include "report/values.h"
#include "report/wait_tree.h"

namespace gpuwhy {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

const Finding* Verdict(const Diagnosis& diagnosis) {
  return diagnosis.verdict ? &diagnosis.findings.at(*diagnosis.verdict) : nullptr;
}

std::string Joined(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string_view WithoutFullStop(std::string_view text) {
  if (text.ends_with('.')) text.remove_suffix(1);
  return text;
}

std::string TitleText(const Finding& finding) {
  return std::string(WithoutFullStop(finding.title.empty() ? finding.id : finding.title));
}

std::string Headline(const Finding& finding, bool has_steps) {
  const std::string gain = GainText(finding, has_steps);
  return gain.empty() ? TitleText(finding) : TitleText(finding) + ": " + gain;
}

/// The first line names the device: "it" may be one of eight. One that no output named is told by
/// its file ("@smi.txt"), which says nothing here.
std::string AnswerLine(const Diagnosis& diagnosis, const Finding& verdict) {
  std::string line = Headline(verdict, diagnosis.step.has_value());
  // On an idle device a risk is no answer to "why is it slow", and must not read like one.
  if (verdict.effect == Effect::kRisk && verdict.Info().action < Action::kDrain) {
    for (const Finding& idle : diagnosis.findings) {
      if (idle.id == "gpu.idle" && idle.subject == verdict.subject)
        line = Format(_("{}. For the next job: {}"), TitleText(idle), line);
    }
  }
  const Subject& subject = verdict.subject;
  if (subject.kind != SubjectKind::kGpu || subject.id.empty() || subject.id.front() == '@')
    return line;
  if (line.find(subject.id) != std::string::npos) return line;
  return Format(_("GPU {}: {}"), subject.id, line);
}

bool IsOk(const Finding& finding) { return finding.Info().kind == FindingKind::kOk; }

// Several jobs, and none of them stands out: the reader has to say which.
bool IsUndecided(const Diagnosis& diagnosis) {
  return !diagnosis.verdict && diagnosis.jobs.size() > 1 && !diagnosis.jobs.front().given;
}

const Unknown* Urgent(const Diagnosis& diagnosis) {
  const auto found = std::find_if(diagnosis.unknown.begin(), diagnosis.unknown.end(),
                                  [](const Unknown& unknown) { return unknown.urgent; });
  return found == diagnosis.unknown.end() ? nullptr : &*found;
}

/// What the summary of pasted outputs without a cause begins with.
const Finding* FirstState(const Diagnosis& diagnosis) {
  const auto found =
      std::find_if(diagnosis.findings.begin(), diagnosis.findings.end(),
                   [](const Finding& one) { return one.Info().kind == FindingKind::kState; });
  return found == diagnosis.findings.end() ? nullptr : &*found;
}

std::string TraceCommand(const Diagnosis& diagnosis) {
  std::string command = "gpuwhy trace";
  for (const InputReport& input : diagnosis.inputs) {
    if (input.used) command += " " + ShellQuote(input.name);
  }
  return command;
}

std::string NextStep(const Diagnosis& diagnosis) {
  if (!diagnosis.measured) {
    return diagnosis.source.kind == "captures"
               ? _("Nothing in them could be judged; why is said below.")
               : _("Nothing could be measured; why is said below.");
  }
  if (const Unknown* urgent = Urgent(diagnosis)) return Format(_("Do this: {}"), urgent->how);
  if (IsUndecided(diagnosis)) return _("Say which job is slow: --pid with one of those below.");
  if (diagnosis.source.kind == "captures") {
    if (const Finding* state = FirstState(diagnosis); state != nullptr && !state->decision.empty())
      return Format(_("Do this: {}"), state->decision);
    return _("The cause may be among what could not be seen, listed below.");
  }
  if (diagnosis.source.kind == "trace") {
    return diagnosis.unknown.empty()
               ? Format(_("See where the time of a step goes: {}"), TraceCommand(diagnosis))
               : std::string(_("The cause may be among what could not be seen, listed below."));
  }
  if (diagnosis.source.kind == "node") {
    return diagnosis.unknown.empty()
               ? std::string(_("How a job fares on it: gpuwhy diagnose, while it runs."))
               : std::string(_("A fault may hide in what could not be seen, listed below."));
  }
  if (diagnosis.jobs.empty()) {
    return _("List the processes with: ps -eo pid,user,etime,args --sort=-pcpu");
  }
  if (!diagnosis.unknown.empty()) {
    return _("The cause may be among what could not be seen, listed below.");
  }
  // Only a finding that ends a hunt says that all is well: the lack of one proves nothing.
  const bool is_ok = std::any_of(diagnosis.findings.begin(), diagnosis.findings.end(), IsOk);
  if (is_ok) return _("By what was measured there is nothing to mend on this host.");
  return Format(_("See what its threads do: top -H -p {}; and whether the GPU is busy: nvidia-smi"),
                diagnosis.jobs.front().root_pid);
}

/// Returns what names the job in the headline, where it is not doubted.
std::string AddDoubt(const Diagnosis& diagnosis, const Finding& verdict, Page& page) {
  if (diagnosis.jobs.empty()) return {};
  const std::string doubt = JobDoubt(diagnosis.jobs.front(), verdict);
  if (!doubt.empty()) page.Line(doubt, Ink::kBold);
  return JobLead(diagnosis.jobs.front(), verdict);
}

void AddAnswer(const Diagnosis& diagnosis, Page& page) {
  const Finding* verdict = Verdict(diagnosis);
  if (verdict == nullptr) {
    page.Line(diagnosis.summary.empty() ? _("No cause was found.") : diagnosis.summary.c_str(),
              Ink::kBold);
    page.Line(NextStep(diagnosis));
  } else {
    const bool good = verdict->Info().kind == FindingKind::kOk;
    const std::string lead = AddDoubt(diagnosis, *verdict, page);
    page.Line(lead + AnswerLine(diagnosis, *verdict), good ? Ink::kGreen : Ink::kBold);
    const std::string& decision = verdict->decision.empty() ? verdict->fix : verdict->decision;
    page.Line(decision.empty() ? std::string(_("Do this: nothing."))
                               : Format(_("Do this: {}"), decision));
  }
  if (const Unknown* urgent = Urgent(diagnosis); urgent != nullptr && verdict != nullptr) {
    page.Line(Format(_("ALERT: {}: {}"), urgent->what, urgent->why), Ink::kRed);
    page.Line("  " + urgent->how);
  }
  for (const std::string& alert : diagnosis.alerts) {
    page.Line(Format(_("ALERT: {}: take this node out of work"), alert), Ink::kRed);
  }
}

std::string WatchedText(const SourceInfo& source) {
  const std::string seconds = QuantityText(source.duration_s, Unit::kSeconds);
  if (source.kind == "trace") return Format(_("{} traced"), seconds);
  if (source.kind == "captures") return _("by pasted outputs, nothing was watched");
  if (source.started.empty()) return Format(_("{} watched"), seconds);
  return Format(_("{} watched from {}"), seconds, source.started);
}

std::string ConfidenceText(Confidence confidence) {
  switch (confidence) {
    case Confidence::kLow:
      return _("low");
    case Confidence::kMedium:
      return _("medium");
    case Confidence::kHigh:
      return _("high");
  }
  return _("low");
}

/// Of steps that were printed one in ten the others are not known.
std::string StepText(const StepFacts& step) {
  const std::size_t printed = step.count + step.left_out;
  std::string count = step.span > printed ? Format(_("{} printed of {} steps"), printed, step.span)
                                          : Format(_("{} steps"), printed);
  if (step.left_out > 0) count += _(", the first left out (start-up)");
  return Format(_("{}: median {}, 95 % within {} ({})"), count,
                QuantityText(step.median_s, Unit::kSeconds),
                QuantityText(step.p95_s, Unit::kSeconds), step.source);
}

void AddIdentity(const Diagnosis& diagnosis, Page& page) {
  std::string text;
  if (const Finding* verdict = Verdict(diagnosis)) {
    text = Format(_("{}, resource {}, {}, confidence {}; "), verdict->id, verdict->Info().resource,
                  verdict->subject.Text(), ConfidenceText(verdict->confidence));
  }
  page.Paragraph(text + WatchedText(diagnosis.source), 0, 2);
  if (diagnosis.step) {
    page.Paragraph(StepText(*diagnosis.step), 0, 2);
  }
}

std::string EvidenceText(const Evidence& evidence) {
  const Fact& fact = evidence.fact;
  std::string text = Tr(Info(fact.id).meaning);
  std::vector<std::string> notes = {fact.subject.Text()};
  if (!evidence.expected.empty()) notes.push_back(Format(_("expected {}"), evidence.expected));
  // "20 looks at ..." counts them already.
  const bool is_counted = evidence.how.starts_with(std::to_string(fact.stat.n) + " ");
  if (fact.stat.n > 0 && !is_counted) notes.push_back(Format(_("{} samples"), fact.stat.n));
  if (!evidence.how.empty()) notes.push_back(evidence.how);
  // What was done often names the place already.
  const std::string& source = fact.provenance.source;
  if (!source.empty() && evidence.how.find(source) == std::string::npos) notes.push_back(source);
  if (!fact.value && !fact.value.missing().detail.empty()) {
    notes.push_back(fact.value.missing().detail);
  }
  return text + " [" + fmt::format("{}", fmt::join(notes, "; ")) + "]";
}

void AddEvidence(const Finding& finding, std::size_t indent, Page& page) {
  Rows rows;
  for (const Evidence& evidence : finding.evidence) {
    rows.emplace_back(ValueText(evidence.fact), EvidenceText(evidence));
  }
  page.Table(rows, indent);
}

/// What was recorded or handed in is of another time, and maybe of another host: its processes and
/// devices are not those here.
const char* CheckHeading(const Diagnosis& diagnosis) {
  const std::string& kind = diagnosis.source.kind;
  return kind == "captures" || kind == "recording" ? _("Check it by hand, on that host:")
                                                   : _("Check it by hand:");
}

void AddVerdictDetails(const Diagnosis& diagnosis, Page& page) {
  const Finding* verdict = Verdict(diagnosis);
  if (verdict != nullptr && (!verdict->meaning.empty() || !verdict->evidence.empty())) {
    page.Heading(_("Why"));
    if (!verdict->meaning.empty()) page.Prose(verdict->meaning);
    AddEvidence(*verdict, 2, page);
  }
  if (!diagnosis.wait_chain.empty()) {
    page.Heading(_("Who waits for whom"));
    for (const std::string& line : WaitTree(diagnosis)) page.Line("  " + line);
  }
  if (verdict != nullptr && !verdict->fix.empty()) {
    page.Heading(_("How to mend it"));
    page.Prose(verdict->fix);
  }
  if (verdict != nullptr && !verdict->verify.empty()) {
    page.Heading(CheckHeading(diagnosis));
    page.Command(verdict->verify);
  }
}

void AddFinding(const Diagnosis& diagnosis, const Finding& finding, bool verbose, Page& page) {
  const bool has_steps = diagnosis.step.has_value();
  page.Paragraph(
      Format("- {} ({}, {})", Headline(finding, has_steps), finding.id, finding.subject.Text()), 2,
      2);
  if (!finding.explained_by.empty()) {
    page.Paragraph(Format(_("A consequence of {}: mend that first."), Joined(finding.explained_by)),
                   4);
  }
  if (!finding.decision.empty()) page.Paragraph(Format(_("Do: {}"), finding.decision), 4, 2);
  // An ok ends a hunt only where it is understood.
  if (!finding.meaning.empty() && (verbose || IsOk(finding))) page.Prose(finding.meaning, 4);
  if (!verbose) return;
  AddEvidence(finding, 4, page);
  if (!finding.fix.empty()) page.Prose(finding.fix, 4);
  if (!finding.verify.empty()) {
    page.Paragraph(CheckHeading(diagnosis), 4);
    page.Command(finding.verify, 6);
  }
}

/// The findings beside the verdict that are (or are not) good news, under one heading.
void AddFindings(const Diagnosis& diagnosis, bool ok, const char* heading, bool verbose,
                 Page& page) {
  bool first = true;
  for (const Finding& finding : diagnosis.findings) {
    if (&finding == Verdict(diagnosis) || IsOk(finding) != ok) continue;
    if (first) page.Heading(heading);
    first = false;
    AddFinding(diagnosis, finding, verbose, page);
  }
}

// They come with those first that hide most: what the rest would show is seldom what is missed.
constexpr std::size_t kMostUnknowns = 3;
constexpr std::size_t kMostHidden = 3;

std::string HiddenText(const std::vector<std::string>& hides, bool verbose) {
  if (verbose || hides.size() <= kMostHidden + 1) return Joined(hides);
  const std::vector<std::string> first(hides.begin(), hides.begin() + kMostHidden);
  return Format(_("{} and {} more"), Joined(first), hides.size() - kMostHidden);
}

void AddUnknown(const Diagnosis& diagnosis, bool verbose, Page& page) {
  if (diagnosis.unknown.empty()) return;
  page.Heading(_("What could not be seen"));
  const std::size_t all = diagnosis.unknown.size();
  // Where no job was chosen, the rules' own unknowns only follow from that.
  const auto urgent = static_cast<std::size_t>(
      std::count_if(diagnosis.unknown.begin(), diagnosis.unknown.end(),
                    [](const Unknown& unknown) { return unknown.urgent; }));
  const std::size_t most = IsUndecided(diagnosis) ? urgent + 1 : kMostUnknowns;
  // One more is no shorter than the line that says so.
  const std::size_t shown = verbose || all <= most + 1 ? all : most;
  for (std::size_t i = 0; i < shown; ++i) {
    const Unknown& unknown = diagnosis.unknown[i];
    page.Paragraph(unknown.why.empty() ? Format("- {}", unknown.what)
                                       : Format("- {}: {}", unknown.what, unknown.why),
                   2, 2);
    if (!unknown.hides.empty()) {
      page.Paragraph(Format(_("This hides: {}"), HiddenText(unknown.hides, verbose)), 4, 2);
    }
    if (!unknown.how.empty()) page.Paragraph(Format(_("To see it: {}"), unknown.how), 4, 2);
  }
  if (shown < all) {
    page.Paragraph(Format(_("- {} more, which hide less: --verbose lists them"), all - shown), 2,
                   2);
  }
}

void AddJobs(const Diagnosis& diagnosis, bool verbose, Page& page) {
  if (diagnosis.jobs.empty() || !(verbose || IsUndecided(diagnosis))) return;
  page.Heading(_("Jobs seen"));
  Rows rows;
  for (const JobFacts& job : diagnosis.jobs) {
    rows.emplace_back(fmt::format("--pid {}", job.root_pid), JobText(job));
  }
  page.Table(rows);
}

void AddInputs(const Diagnosis& diagnosis, bool verbose, Page& page) {
  const auto is_fine = [](const InputReport& input) {
    return input.used && input.problems.empty();
  };
  const bool all_fine = std::all_of(diagnosis.inputs.begin(), diagnosis.inputs.end(), is_fine);
  if (diagnosis.inputs.empty() || (all_fine && !verbose)) return;
  page.Heading(_("Inputs"));
  for (const InputReport& input : diagnosis.inputs) {
    if (is_fine(input) && !verbose) continue;
    const std::string kind =
        input.recognised_as.empty() ? std::string(_("not recognised")) : input.recognised_as;
    page.Paragraph(Format("- {}: {}", input.name, kind), 2, 2);
    for (const std::string& problem : input.problems) page.Paragraph(problem, 4, 2);
  }
}

void AddOwnCost(const Diagnosis& diagnosis, Page& page) {
  const Overhead& overhead = diagnosis.overhead;
  page.Heading(_("What watching cost"));
  const auto text = [](const Reading<double>& reading, double factor, Unit unit) {
    return reading ? QuantityText(*reading * factor, unit)
                   : Format(_("not seen ({})"), WhyText(reading.missing().why));
  };
  constexpr double kBytesPerKib = 1024;
  page.Table({{text(overhead.cpu_share, 1, Unit::kRatio), _("of one core")},
              {text(overhead.peak_rss_kib, kBytesPerKib, Unit::kBytes), _("memory at most")},
              {std::to_string(overhead.samples), _("looks answered in time")},
              {std::to_string(overhead.late), _("looks answered too late and dropped")},
              {std::to_string(overhead.lost), _("looks lost")}});
  page.Paragraph(Format(_("gpuwhy {}, source {}"), diagnosis.tool_version, diagnosis.source.kind));
}

}  // namespace

std::string RenderText(const Diagnosis& diagnosis, const TextOptions& options) {
  Page page(options.color, options.width);
  AddAnswer(diagnosis, page);
  if (options.answer_only) return std::move(page).Text();
  AddIdentity(diagnosis, page);
  AddVerdictDetails(diagnosis, page);
  AddJobs(diagnosis, options.verbose, page);
  AddFindings(diagnosis, false, diagnosis.verdict ? _("Also seen") : _("Seen"), options.verbose,
              page);
  AddFindings(diagnosis, true, _("Not a problem"), options.verbose, page);
  AddUnknown(diagnosis, options.verbose, page);
  AddInputs(diagnosis, options.verbose, page);
  if (options.verbose) AddOwnCost(diagnosis, page);
  return std::move(page).Text();
}

}  // namespace gpuwhy
