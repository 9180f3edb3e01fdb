#include "diagnose/rules/input_shm_small.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr StatedClaim kSaid{
    "input.shm-small",
    Severity::kCritical,
    Confidence::kHigh,
    N_("Shared memory is too small for the loader's workers"),
    N_("Workers hand batches over in /dev/shm; it is full, and a worker died on it."),
    N_("Give the container more shared memory."),
    N_("docker run --shm-size=16g or --ipc=host; Kubernetes: an emptyDir of medium Memory at "
       "/dev/shm."),
    "df -h /dev/shm"};

constexpr StatedClaim kFull{
    "input.shm-small",
    Severity::kCritical,
    Confidence::kMedium,
    N_("/dev/shm is full"),
    N_("Loader workers and NCCL hand data over in it. With no room left a worker that writes there "
       "is killed by a bus error, and a start of NCCL fails."),
    N_("Make room, or give the container more shared memory."),
    N_("docker run --shm-size=16g or --ipc=host; Kubernetes: an emptyDir of medium Memory at "
       "/dev/shm. Files that a crashed job left there can go: ls -l /dev/shm."),
    "df -h /dev/shm"};

/// How full /dev/shm is, where df was handed in.
std::vector<const Fact*> ShmFigures(const FactSet& facts) {
  std::vector<const Fact*> figures;
  for (const FactId id : {FactId::kMountUsed, FactId::kMountSize, FactId::kHostLine}) {
    for (const Fact* fact : AllOf(facts, {id})) {
      if (fact->subject == Subject{SubjectKind::kMount, "/dev/shm"}) figures.push_back(fact);
    }
  }
  return figures;
}

}  // namespace

RuleResult InputShmSmall(const FactSet& facts, const Policy& policy) {
  std::vector<const Fact*> evidence = AllOf(facts, {FactId::kSaidShmTooSmall});
  const std::vector<const Fact*> figures = ShmFigures(facts);
  const bool said = !evidence.empty();
  const bool full = std::any_of(figures.begin(), figures.end(), [&](const Fact* fact) {
    return fact->id == FactId::kMountUsed && fact->Number() >= policy.host.full;
  });
  if (!said && !full) return {};
  evidence.insert(evidence.end(), figures.begin(), figures.end());
  RuleResult result = Stated(said ? kSaid : kFull, evidence);
  // Of a watched job it was read through the job's own mounts, which are not those of a shell.
  const std::string& place = figures.empty() ? std::string() : figures.front()->provenance.source;
  if (place.starts_with("/proc/") && !facts.jobs.empty()) {
    result.findings.front().verify = "df -h " + ShellQuote(place);
    result.findings.front().subject = facts.jobs.front().subject;
  }
  return result;
}

}  // namespace gpuwhy
