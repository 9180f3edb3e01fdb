#include "cli/exit_code.h"

#include <algorithm>

namespace gpuwhy {
namespace {

// Actions are ordered by urgency.
Action Least(FailOn fail_on) {
  switch (fail_on) {
    case FailOn::kAny:
      return Action::kWatch;
    case FailOn::kFix:
      return Action::kFix;
    case FailOn::kDrain:
      return Action::kDrain;
  }
  return Action::kFix;
}

}  // namespace

int ExitCode(const Diagnosis& diagnosis, FailOn fail_on) {
  if (!diagnosis.measured) return kExitUnmeasured;
  if (diagnosis.verdict && diagnosis.findings.at(*diagnosis.verdict).id == "job.healthy") {
    return kExitNothing;
  }
  const Action least = Least(fail_on);
  const bool found =
      std::any_of(diagnosis.findings.begin(), diagnosis.findings.end(),
                  [&](const Finding& finding) { return finding.Info().action >= least; });
  return found ? kExitFound : kExitNothing;
}

}  // namespace gpuwhy
