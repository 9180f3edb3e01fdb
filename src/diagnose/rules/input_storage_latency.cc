#include "diagnose/rules/input_storage_latency.h"

#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "base/text.h"
#include "diagnose/rules/host/host_rules.h"
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
      PercentText(storage.wait->Number()), PercentText(storage.read->Number()),
      PercentText(storage.open->Number()), mount);
  finding.decision = _("Put the data on faster storage, or read more of it ahead.");
  finding.fix = Format(
      _("Copy the data set from {} to faster storage before the job starts (a local NVMe disk; "
        "/dev/shm where it fits into memory), or raise prefetch and workers so that reads "
        "overlap; pack small files into shards."),
      mount);
}

}  // namespace

RuleResult InputStorageLatency(const FactSet& facts, const Policy& policy) {
  if (facts.jobs.empty()) return HostStorageLatency(facts, policy);
  RuleView view(facts);
  const StorageCase found =
      LookAtStorageCase(view, policy.input, FactId::kGainStorage, policy.input.min_gain);
  if (found.answer == Answer::kUnknown) return view.CantTell(kId);
  if (found.answer == Answer::kNo) return {};
  const LoaderStorage& storage = found.storage;
  const std::vector<WaitedMount> mounts = MountsByWait(facts);

  Finding finding = StorageFinding(kId, view, *found.gain, *storage.read, policy);
  RuleView for_cause(facts);
  if (IsMetadataStorm(for_cause, storage, policy.input) == Answer::kYes) {
    finding.causes = {"input.metadata-storm"};
  }
  if (LookAtReadLimit(for_cause, mounts, policy.input).answer == Answer::kYes) {
    finding.causes.insert(finding.causes.begin(), "input.io-throttled");
  }
  CiteAll(finding, {storage.wait, storage.read, storage.open, storage.fault, found.gain});
  CiteMounts(finding, mounts);
  CiteHost(finding, facts);
  Write(finding, storage, mounts);
  finding.verify = ThreadsCommand(ProcessesToCheck(view.Job()));
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
