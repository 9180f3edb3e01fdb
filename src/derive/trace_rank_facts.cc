#include "derive/trace_rank_facts.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/i18n.h"

namespace gpuwhy {
namespace {

// One rank's place among the others, as facts of its file's subject.
class RankFacts {
 public:
  RankFacts(const trace::TraceReport& report, FactSet& facts)
      : ranks_(report.ranks), facts_(facts), span_(static_cast<double>(ranks_.span_ns)) {
    source_ = Format(_("{} files, {} collectives matched"), report.files.size(),
                     ranks_.collectives.size());
  }

  void Add(const trace::RankWait& wait, const Subject& subject, const Scope& scope) {
    subject_ = subject;
    scope_ = scope;
    Share(FactId::kStepPeerWait, wait.wait_ns, 0);
    if (wait.kernels_over_median > 0)
      Number(FactId::kRankKernels, StatKind::kLast, wait.kernels_over_median);
    const auto late = std::find_if(ranks_.stragglers.begin(), ranks_.stragglers.end(),
                                   [&](const trace::Straggler& s) { return s.rank == wait.rank; });
    if (late == ranks_.stragglers.end()) return;
    // Clocks may be off by the residual at each collective for which it was last.
    const auto doubt = static_cast<std::int64_t>(wait.arrived_last) * ranks_.alignment_residual_ns;
    Share(FactId::kRankLateAlone, wait.alone_late_ns, doubt);
    Share(FactId::kRankSpared, late->cost_ns, 0);
    Share(FactId::kRankExcess, late->excess_ns, 0);
    Number(FactId::kRankLast, StatKind::kShare, late->arrived_last_share);
    Number(FactId::kRankResidual, StatKind::kP50,
           static_cast<double>(ranks_.alignment_residual_ns) / 1e9);
    Fact reason = Start(FactId::kRankReason, StatKind::kLast);
    reason.value = FactValue(std::string(Name(late->reason)));
    facts_.Add(std::move(reason));
  }

 private:
  [[nodiscard]] Fact Start(FactId id, StatKind kind) const {
    Fact fact;
    fact.id = id;
    fact.subject = subject_;
    fact.scope = scope_;
    fact.stat = {kind, ranks_.collectives.size(), 1};
    fact.provenance = {"trace", source_, Origin::kComputed};
    return fact;
  }
  void Share(FactId id, std::int64_t ns, std::int64_t doubt) {
    if (span_ <= 0) return;
    const auto share = [&](std::int64_t part) {
      return std::clamp(static_cast<double>(part) / span_, 0.0, 1.0);
    };
    Fact fact = Start(id, StatKind::kShare);
    fact.value = FactValue(share(ns));
    fact.interval = {share(ns - doubt), share(ns)};
    facts_.Add(std::move(fact));
  }
  void Number(FactId id, StatKind kind, double value) {
    Fact fact = Start(id, kind);
    fact.value = FactValue(value);
    fact.interval = {value, value};
    facts_.Add(std::move(fact));
  }

  const trace::CrossRank& ranks_;
  FactSet& facts_;
  double span_;
  std::string source_;
  Subject subject_;
  Scope scope_;
};

}  // namespace

void AddRankFacts(const trace::TraceReport& report, const std::vector<Subject>& subjects,
                  FactSet& facts) {
  if (report.ranks.collectives.empty()) return;
  RankFacts writer(report, facts);
  for (std::size_t i = 0; i < report.ranks.waits.size() && i < subjects.size(); ++i) {
    const trace::Span& span = report.files[i].span;
    writer.Add(report.ranks.waits[i], subjects[i],
               {{Nanos(span.start)}, {Nanos(span.end)}, ScopePart::kInStep});
  }
}

}  // namespace gpuwhy
