#include "diagnose/diagnose.h"

#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "base/text.h"
#include "diagnose/explain.h"
#include "diagnose/job_lead.h"
#include "diagnose/ranking.h"
#include "diagnose/rule.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr double kMostly = 0.5;

/// Two that say the same of different findings become one that hides both.
void AddUnknown(std::vector<Unknown>& unknowns, Unknown added) {
  const auto same = [&](const Unknown& u) {
    return u.what == added.what && u.why == added.why && u.how == added.how;
  };
  const auto known = std::find_if(unknowns.begin(), unknowns.end(), same);
  Unknown& target = known == unknowns.end() ? unknowns.emplace_back() : *known;
  std::vector<std::string> hides = std::move(target.hides);
  hides.insert(hides.end(), added.hides.begin(), added.hides.end());
  std::sort(hides.begin(), hides.end());
  hides.erase(std::unique(hides.begin(), hides.end()), hides.end());
  target = std::move(added);
  target.hides = std::move(hides);
}

/// Without device facts the consumer's wait stands in for the device's idle time: a device whose
/// feeding thread waits runs dry once its queue is empty.
RankingContext ContextOf(const FactSet& facts) {
  RankingContext context;
  if (facts.traced) {
    context.job_seen = true;
    for (const Fact* idle : facts.All(FactId::kStepIdle)) {
      if (IsNumber(idle)) context.device_idle = std::max(context.device_idle, idle->Number());
    }
    return context;
  }
  context.job_gpus = facts.job_gpus;
  context.job_seen = !facts.jobs.empty() && facts.jobs.front().processes > 0;
  if (context.job_seen) {
    const Reading<double> wait = facts.Number(FactId::kConsumerWait, facts.jobs.front().subject);
    if (wait) context.device_idle = *wait;
  }
  return context;
}

std::string VerdictSummary(const FactSet& facts, const Finding& verdict) {
  const std::string title = verdict.title.empty() ? verdict.id : verdict.title;
  if (facts.node_only) return title + ".";
  if (verdict.effect == Effect::kBlocks) {
    return Format(_("{}. The job does not get on until this is mended."), title);
  }
  if (verdict.cost) {
    return Format(_("{}. Mending this alone would save about {} of the time (from {} to {})."),
                  title, PercentText(verdict.cost->share), PercentText(verdict.cost->low),
                  PercentText(verdict.cost->high));
  }
  if (verdict.at_one_moment) {
    return Format(_("{}. For what share of the time one look can't tell."), title);
  }
  if (verdict.bound) {
    return Format(_("{}. It is what limits the job for {} of the time."), title,
                  PercentText(*verdict.bound));
  }
  if (verdict.effect == Effect::kRisk) {
    return Format(_("{}. No running job was seen: this is a risk for the next one."), title);
  }
  if (verdict.effect == Effect::kSlows) {
    return Format(_("{}. It slows the job; by how much was not measured."), title);
  }
  return title + ".";
}

// In the words of the finding's own title: where the host stood is known for a stall.
const char* UnexplainedSummary(const FactSet& facts, const Subject& subject) {
  const auto share = [&](FactId id) { return facts.Number(id, subject).ValueOr(0); };
  const double stall = share(FactId::kStepStall);
  if (stall > share(FactId::kStepUnexplained) + share(FactId::kStepQueued)) {
    return _(
        "No cause was found: the device computes for {} of the step and idles for {}, mostly "
        "while the host stands in long events of its own.");
  }
  return _(
      "No cause was found: the device computes for {} of the step and idles for {}, and the "
      "trace does not say why it idles.");
}

std::string NullTraceSummary(const FactSet& facts, const std::vector<Finding>& findings) {
  if (facts.nothing_seen) return _("The trace holds no device work: nothing can be said of it.");
  double compute = 1;
  double idle = 0;
  double comm = 0;
  bool any = false;
  for (const Fact* fact : facts.All(FactId::kStepCompute)) {
    if (!IsNumber(fact)) continue;
    any = true;
    compute = std::min(compute, fact->Number());
    const Reading<double> waits = facts.Number(FactId::kStepIdle, fact->subject);
    if (waits) idle = std::max(idle, *waits);
    const Reading<double> exposed = facts.Number(FactId::kStepComm, fact->subject);
    if (exposed) comm = std::max(comm, *exposed);
  }
  if (!any) return _("Can't tell: no whole step was found in the trace.");
  if (comm > std::max(idle, compute)) {
    return Format(
        _("{} of the step is communication that nothing hides; whether this rank waits for "
          "another or the data moves slowly can't be told from it alone."),
        PercentText(comm));
  }
  const auto unexplained =
      std::find_if(findings.begin(), findings.end(),
                   [](const Finding& finding) { return finding.id == "step.unexplained"; });
  if (unexplained != findings.end())
    return Format(UnexplainedSummary(facts, unexplained->subject), PercentText(compute),
                  PercentText(idle));
  return Format(
      _("No cause was found: the device computes for {} of the step and idles for {}, and "
        "nothing that was recorded can be blamed for 5 % of it."),
      PercentText(compute), PercentText(idle));
}

/// The best of the states: what was seen, though it is no cause of slowness. nullptr: none.
const Finding* FirstState(const std::vector<Finding>& findings) {
  const auto found = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.Info().kind == FindingKind::kState;
  });
  return found == findings.end() ? nullptr : &*found;
}

std::string StateSummary(const Finding& state) {
  return Format(_("{}. Beside it nothing in these outputs names a cause of slowness."),
                state.title.empty() ? state.id : state.title);
}

/// The answer where nothing holds. `from_rules`: the unknowns that kept a rule from telling.
std::string NullSummary(const FactSet& facts, const RankingContext& context,
                        const std::vector<Finding>& findings,
                        const std::vector<Unknown>& from_rules) {
  if (facts.traced) return NullTraceSummary(facts, findings);
  if (facts.node_only) {
    return _("Nothing is wrong with this node, as far as its devices, driver and kernel log tell.");
  }
  if (!context.job_seen && facts.asked_pid > 0) {
    return Format(_("Process {} was not seen: nothing can be said of its job."), facts.asked_pid);
  }
  const auto urgent = std::find_if(facts.blinds.begin(), facts.blinds.end(),
                                   [](const Blind& blind) { return blind.urgent; });
  if (urgent != facts.blinds.end()) return Format("{}: {}.", urgent->what, urgent->why);
  if (!context.job_seen && facts.pasted) {
    if (const Finding* state = FirstState(findings)) return StateSummary(*state);
    if (!from_rules.empty()) {
      return Format(_("Can't tell from these outputs, because this was not seen: {} ({})."),
                    from_rules.front().what, from_rules.front().why);
    }
    return _("Nothing in these outputs names a cause. What they don't show is listed as unknown.");
  }
  if (!context.job_seen) {
    return _("Can't tell which process is the job: start it, or name it with --pid.");
  }
  const JobFacts& job = facts.jobs.front();
  const std::string name = JobName(job);
  if (facts.job_ended) {
    return Format(_("{} ended before it could be watched: name another with --pid."), name);
  }
  // Without facts of its own the first candidate was not chosen.
  if (facts.Find(FactId::kJobRun, job.subject) == nullptr) {
    if (facts.jobs.size() > 1) {
      return Format(_("{} jobs run here and none of them stands out."), facts.jobs.size());
    }
    return Format(_("No job stands out: {} is the only candidate, and hardly one. If it is the "
                    "job, name it with --pid."),
                  name);
  }
  for (const Finding& finding : findings) {
    if (finding.id != "job.no-demand") continue;
    return Format(_("Nothing slows {}: it waits for requests and has nothing to do."), name);
  }
  if (facts.few_looks) {
    return Format(_("{} was watched too briefly to tell what slows it: --duration 30 watches "
                    "longer."),
                  name);
  }
  if (!from_rules.empty()) {
    return Format(_("Can't tell what slows {}, because this was not seen: {} ({})."), name,
                  from_rules.front().what, from_rules.front().why);
  }
  const Reading<double> full = facts.Number(FactId::kFillersQueueFull, job.subject);
  if (full && *full > kMostly) {
    return Format(
        _("Nothing slows the loaders of {}: for {} of their time they wait until it takes "
          "what is ready. What limits it is its own work or its device."),
        name, PercentText(*full));
  }
  return Format(_("No cause was found for {}: it is not slow, or for a reason that gpuwhy does not "
                  "look for."),
                name);
}

/// The job that was found without any sign that it uses a device; nullptr: none, or it has one.
const JobFacts* DoubtfulJob(const FactSet& facts) {
  if (facts.traced || facts.pasted || facts.jobs.empty()) return nullptr;
  return LooksLikeGpuJob(facts.jobs.front()) ? nullptr : &facts.jobs.front();
}

/// What is measured of it holds; whether that is what was asked for is another matter.
void Doubt(const JobFacts& job, std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    if (finding.subject == job.subject)
      finding.confidence = std::min(finding.confidence, Confidence::kMedium);
  }
}

/// A fact may be there only to say why it is missing.
bool AnythingKnown(const FactSet& facts) {
  return std::any_of(facts.facts().begin(), facts.facts().end(),
                     [](const Fact& fact) { return fact.value.has(); });
}

}  // namespace

Diagnosis Diagnose(const FactSet& facts, const Policy& policy) {
  std::vector<Finding> findings;
  std::vector<Unknown> unknowns;
  for (const Rule& rule : AllRules()) {
    RuleResult result = rule.evaluate(facts, policy);
    std::move(result.findings.begin(), result.findings.end(), std::back_inserter(findings));
    for (Unknown& unknown : result.unknowns) AddUnknown(unknowns, std::move(unknown));
  }
  // From here on no fact is looked at but for the job and its consumer.
  const RankingContext context = ContextOf(facts);
  Ranking ranking = Rank(std::move(findings), context, policy.ranking);

  Diagnosis diagnosis;
  diagnosis.findings = std::move(ranking.findings);
  diagnosis.verdict = ranking.verdict;
  diagnosis.alerts = std::move(ranking.alerts);
  if (const JobFacts* doubtful = DoubtfulJob(facts)) Doubt(*doubtful, diagnosis.findings);
  diagnosis.summary = diagnosis.verdict
                          ? VerdictSummary(facts, diagnosis.findings[*diagnosis.verdict])
                          : NullSummary(facts, context, diagnosis.findings, unknowns);
  for (const Blind& blind : facts.blinds) {
    AddUnknown(unknowns, Unknown{blind.what, blind.why, blind.how, blind.hides, blind.urgent});
  }
  // Beside a fault the job's health is no question.
  const bool fault = diagnosis.verdict &&
                     diagnosis.findings[*diagnosis.verdict].Info().kind == FindingKind::kFault;
  if (fault) {
    std::erase_if(unknowns, [](const Unknown& unknown) {
      return unknown.hides == std::vector<std::string>{"job.healthy"};
    });
  }
  // Facts know the whole vocabulary: what no rule of this build can find is not hidden by a lack.
  for (Unknown& unknown : unknowns) {
    std::erase_if(unknown.hides, [](const std::string& id) { return !HasRule(id); });
  }
  // What may be the whole answer, then what would let most rules speak.
  std::stable_sort(unknowns.begin(), unknowns.end(), [](const Unknown& a, const Unknown& b) {
    return a.urgent != b.urgent ? a.urgent : a.hides.size() > b.hides.size();
  });
  diagnosis.unknown = std::move(unknowns);
  diagnosis.jobs = facts.jobs;
  diagnosis.wait_chain = facts.wait_chain;
  diagnosis.step = facts.step;
  diagnosis.measured = AnythingKnown(facts) && !facts.nothing_seen;
  return diagnosis;
}

}  // namespace gpuwhy
