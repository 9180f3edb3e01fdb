// How the loaders of the job wait for storage: what input.storage-latency and input.metadata-storm
// both look at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnose/rules/rule_view.h"

namespace gpuwhy {

/// One mount on which loaders were blocked. The pointers may be null but for one of the first two.
struct WaitedMount {
  Subject subject;
  const Fact* read = nullptr;
  const Fact* open = nullptr;
  const Fact* type = nullptr;
  const Fact* source = nullptr;
  const Fact* example = nullptr;
  const Fact* named = nullptr;
  const Fact* distinct = nullptr;
  double share = 0;  ///< read and open together
};

/// Mounts, the one most waited for first; equal shares by mount point.
[[nodiscard]] std::vector<WaitedMount> MountsByWait(const FactSet& facts);
/// "/data (nfs4)", printable; "storage" where no mount is known.
[[nodiscard]] std::string MountName(const std::vector<WaitedMount>& mounts);
/// Facts of the three mounts most waited for.
void CiteMounts(Finding& finding, const std::vector<WaitedMount>& mounts);
/// A shell command that counts, in 20 looks, where in the kernel the threads of these processes
/// wait.
[[nodiscard]] std::string ThreadsCommand(const std::vector<std::int32_t>& pids);

/// The facts that decide, for both rules. All set where the answer is kYes.
struct LoaderStorage {
  Answer answer = Answer::kUnknown;
  const Fact* wait = nullptr;  ///< of the consumer
  const Fact* read = nullptr;  ///< of the loaders
  const Fact* open = nullptr;
  const Fact* fault = nullptr;         ///< may be null: a page fault is not always told apart
  [[nodiscard]] double Total() const;  ///< reads, opens and faults; precondition: kYes
};

/// Does the consumer wait, and do its loaders wait for storage? What is missing is noted in view.
[[nodiscard]] LoaderStorage LookAtStorage(RuleView& view, const InputPolicy& policy);

/// How every rule on the loaders' wait for storage starts: do they wait, and what would be gained?
struct StorageCase {
  Answer answer = Answer::kUnknown;
  LoaderStorage storage;
  const Fact* gain = nullptr;  ///< set where the answer is kYes
};

/// kNo where they do not wait, or less than min_gain could be gained at best. gain: a fact of the
/// job. What is missing is noted in view.
[[nodiscard]] StorageCase LookAtStorageCase(RuleView& view, const InputPolicy& policy, FactId gain,
                                            double min_gain);
/// The finding with its cost, and the confidence that cost and looks give it. decides: the fact
/// whose looks count.
[[nodiscard]] Finding StorageFinding(std::string_view id, const RuleView& view, const Fact& gain,
                                     const Fact& decides, const Policy& policy);

/// The condition of input.metadata-storm, once LookAtStorage said yes: opening, finding and listing
/// files is the larger part of the wait, and they are many different or small files.
[[nodiscard]] Answer IsMetadataStorm(RuleView& view, const LoaderStorage& storage,
                                     const InputPolicy& policy);

}  // namespace gpuwhy
