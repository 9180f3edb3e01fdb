#include "diagnose/rules/input_storage_latency.h"

#include <utility>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/rules/io_limit.h"
#include "diagnose/rules/storage_wait.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "input.storage-latency";

/// Figures of the whole host are context: other jobs read as well, so they decide nothing.
void CiteHost(Finding& finding, const FactSet& facts) {
  for (const FactId id : {FactId::kBlockReadAwait, FactId::kHostPsiIo, FactId::kHostCpuIowait}) {
    for (const Fact* fact : facts.All(id)) {
      if (!IsNumber(fact)) continue;
      Evidence evidence = Cite(*fact);
      evidence.how += _("; of the whole host: context, not the reason");
      finding.evidence.push_back(std::move(evidence));
    }
  }
}

void Write(Finding& finding, const LoaderStorage& storage, const std::vector<WaitedMount>& mounts) {
  const std::string mount = MountName(mounts);
  finding.title = Format(_("Loaders wait for {}"), mount);
  finding.meaning = Format(
      _("The job waits {} of the time for its loaders; they spend {} of theirs blocked in reading "
        "files and {} in opening them, mostly on {}."),
      Percent(storage.wait->Number()), Percent(storage.read->Number()),
      Percent(storage.open->Number()), mount);
  finding.decision = _("Put the data on faster storage, or read more of it ahead.");
  finding.fix = Format(
      _("Copy the data set from {} to faster storage before the job starts (a local NVMe disk; "
        "/dev/shm where it fits into memory), or raise prefetch and workers so that reads "
        "overlap; pack small files into shards."),
      mount);
}

}  // namespace

RuleResult InputStorageLatency(const FactSet& facts, const Policy& policy) {
  if (facts.jobs.empty()) return {};
  RuleView view(facts);
  const LoaderStorage storage = LookAtStorage(view, policy.input);
  if (storage.answer == Answer::kUnknown) return view.CantTell(kId);
  if (storage.answer == Answer::kNo) return {};
  const Fact* gain = view.Need(FactId::kGainStorage);
  if (gain == nullptr) return view.CantTell(kId);
  if (gain->interval.high < policy.input.min_gain) return {};

  Finding finding = FindingOf(kId, view.Job());
  finding.cost = LawCost(*gain);
  finding.confidence =
      ChainConfidence(facts, finding.cost->low, policy.ranking.min_cost, storage.read->stat.n);
  RuleView for_cause(facts);
  if (IsMetadataStorm(for_cause, storage, policy.input) == Answer::kYes) {
    finding.causes = {"input.metadata-storm"};
  }
  if (FullReadLimit(facts, policy.input) != nullptr) {
    finding.causes.insert(finding.causes.begin(), "input.io-throttled");
  }
  CiteAll(finding, {storage.wait, storage.read, storage.open, storage.fault, gain});
  const std::vector<WaitedMount> mounts = MountsByWait(facts);
  CiteMounts(finding, mounts);
  CiteHost(finding, facts);
  Write(finding, storage, mounts);
  finding.verify = ThreadsCommand(ProcessesToCheck(view.Job()));
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
