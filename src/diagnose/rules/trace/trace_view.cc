#include "diagnose/rules/trace/trace_view.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/i18n.h"
#include "base/text.h"

namespace gpuwhy {
namespace {

double Weight(const Finding& finding) {
  if (finding.cost) return finding.cost->share;
  return finding.bound.value_or(0);
}

std::string Others(const std::vector<Finding>& findings) {
  constexpr std::size_t kMost = 4;
  std::string names;
  for (std::size_t i = 1; i < findings.size() && i <= kMost; ++i)
    names += (names.empty() ? "" : ", ") + findings[i].subject.Text();
  if (findings.size() <= kMost + 1) return Format(_(" The same holds for {}."), names);
  return Format(_(" The same holds for {} and {} more."), names, findings.size() - kMost - 1);
}

Finding Worst(std::vector<Finding> findings) {
  std::sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return std::make_tuple(-Weight(a), a.subject) < std::make_tuple(-Weight(b), b.subject);
  });
  if (findings.size() > 1) findings.front().meaning += Others(findings);
  return std::move(findings.front());
}

}  // namespace

const Fact* TraceView::Look(FactId id) const {
  const Fact* fact = facts_.Find(id, subject_);
  return IsNumber(fact) ? fact : nullptr;
}

double TraceView::Low(FactId id) const {
  const Fact* fact = Look(id);
  return fact == nullptr ? 0 : fact->interval.low;
}

std::string TraceView::Text(FactId id) const {
  const Fact* fact = facts_.Find(id, subject_);
  if (fact == nullptr || !fact->value.has()) return {};
  const std::string* text = std::get_if<std::string>(&*fact->value);
  return text == nullptr ? std::string() : Printable(*text);
}

const Fact* TraceView::Need(FactId id) {
  const Fact* fact = Look(id);
  if (fact == nullptr) missing_.push_back({id, facts_.Number(id, subject_).missing()});
  return fact;
}

RuleResult TraceView::CantTell(std::string_view rule) const {
  RuleResult result;
  for (const Lack& lack : missing_) {
    Unknown unknown;
    unknown.what = Tr(Info(lack.id).meaning);
    unknown.why = lack.missing.detail == Id(lack.id) ? WhyText(lack.missing.why)
                                                     : Printable(lack.missing.detail);
    unknown.how =
        _("profile at least five steps after warm-up, with CPU and device activities and "
          "a marker for each step (profiler.step(), or an NVTX range)");
    unknown.hides = {std::string(rule)};
    result.unknowns.push_back(std::move(unknown));
  }
  return result;
}

Finding TraceView::Make(std::string_view id) const {
  Finding finding;
  finding.id = std::string(id);
  finding.subject = subject_;
  finding.confidence = StepConfidence(*this);
  const std::string file = Text(FactId::kTraceFile);
  finding.verify = "gpuwhy trace --verbose " + ShellQuote(file.empty() ? "TRACE" : file);
  return finding;
}

Confidence StepConfidence(const TraceView& view) {
  constexpr std::uint64_t kMany = 5;
  constexpr std::uint64_t kFew = 2;
  const Fact* time = view.Look(FactId::kStepTime);
  const std::string borders = view.Text(FactId::kStepConfidence);
  if (time == nullptr || borders == "low" || borders.empty()) return Confidence::kLow;
  if (time->stat.n >= kMany && borders == "high") return Confidence::kHigh;
  return time->stat.n >= kFew || borders == "high" ? Confidence::kMedium : Confidence::kLow;
}

Cost TimelineCost(double low, double share, double high) {
  Cost cost;
  cost.share = std::clamp(share, 0.0, 1.0);
  cost.low = std::clamp(low, 0.0, cost.share);
  cost.high = std::clamp(high, cost.share, 1.0);
  cost.basis = CostBasis::kTimeline;
  return cost;
}

RuleResult ForTraces(const FactSet& facts, std::string_view rule,
                     const std::function<std::optional<Finding>(TraceView&)>& judge) {
  RuleResult unknown;
  std::vector<Finding> found;
  for (const Fact* time : facts.All(FactId::kStepTime)) {
    TraceView view(facts, time->subject);
    if (view.Need(FactId::kStepTime) != nullptr) {
      std::optional<Finding> finding = judge(view);
      if (finding) found.push_back(*std::move(finding));
    }
    if (!view.Complete() && unknown.unknowns.empty()) unknown = view.CantTell(rule);
  }
  if (found.empty()) return unknown;
  return {{Worst(std::move(found))}, {}};
}

}  // namespace gpuwhy
