#include "diagnose/rules/input_metadata_storm.h"

#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "base/text.h"
#include "diagnose/rules/storage_wait.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "input.metadata-storm";

void Write(Finding& finding, const LoaderStorage& storage, const std::vector<WaitedMount>& mounts) {
  const std::string mount = MountName(mounts);
  finding.title = Format(_("Too many small files on {}"), mount);
  finding.meaning = Format(
      _("Of the loaders' wait for storage {} is opening, finding or listing files: the number of "
        "files is the load, not their bytes. A faster disk or link would not change that."),
      PercentText(storage.open->Number() / storage.Total()));
  finding.decision = _("Change the layout of the data set, not the hardware.");
  finding.fix = Format(
      _("Pack the files of {} into shards of 50 to 100 MB (tar, record files) and read them in "
        "order; until then copy the data set to a local disk."),
      mount);
}

/// Counts calls by name for ten seconds; strace slows the process it watches.
std::string Command(const JobFacts& job) {
  const std::int32_t pid = ProcessesToCheck(job).front();
  return Format("timeout 10 strace -f -c -e trace=file,read,pread64 -p {}", pid);
}

}  // namespace

RuleResult InputMetadataStorm(const FactSet& facts, const Policy& policy) {
  if (facts.jobs.empty()) return {};
  RuleView view(facts);
  const LoaderStorage storage = LookAtStorage(view, policy.input);
  if (storage.answer == Answer::kUnknown) return view.CantTell(kId);
  if (storage.answer == Answer::kNo) return {};
  const Answer storm = IsMetadataStorm(view, storage, policy.input);
  if (storm == Answer::kUnknown) return view.CantTell(kId);
  if (storm == Answer::kNo) return {};

  const Fact* gain = view.Look(FactId::kGainStorageOpen);
  Finding finding = StorageFinding(kId, view, *gain, *storage.open, policy);
  CiteAll(finding, {storage.wait, storage.open, storage.read, gain, view.Look(FactId::kJobReadSize),
                    view.Look(FactId::kJobReadCalls)});
  const std::vector<WaitedMount> mounts = MountsByWait(facts);
  CiteMounts(finding, mounts);
  Write(finding, storage, mounts);
  finding.verify = Command(view.Job());
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
