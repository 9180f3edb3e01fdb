// Diagnosis: the answer, ready to be rendered. Nothing is computed after this.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/finding.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// What one input was taken for (--from).
struct InputReport {
  std::string name, recognised_as;
  bool used = false;
  std::vector<std::string> problems;  ///< "line 12: ..."
  friend bool operator==(const InputReport&, const InputReport&) = default;
};

struct SourceInfo {
  std::string kind;     ///< "live", "recording", "captures"
  std::string started;  ///< RFC 3339, UTC; empty: unknown
  double duration_s = 0;
  std::string host;       ///< keyed hash; empty: unknown
  MonoTime started_mono;  ///< the same instant as `started`; evidence times are told from here on
};

/// What watching cost. Missing where it was not watched.
struct Overhead {
  Reading<double> cpu_share;  ///< of one core, over the window
  Reading<double> peak_rss_kib;
  std::uint64_t samples = 0, late = 0, lost = 0;
};

struct Diagnosis {
  std::string tool_version;
  SourceInfo source;
  std::vector<Finding> findings;       ///< in order of rank
  std::optional<std::size_t> verdict;  ///< index into findings; none: nothing holds
  std::string summary;  ///< translated: the answer in one sentence, also where there is no verdict
  std::vector<std::string> alerts;  ///< ids with action drain or replace
  std::vector<JobFacts> jobs;
  std::vector<WaitEdge> wait_chain;
  std::optional<StepFacts> step;
  std::vector<Unknown> unknown;
  std::vector<InputReport> inputs;
  Overhead overhead;
  bool measured = true;  ///< false: not one source gave anything (exit code 3)
};

}  // namespace gpuwhy
