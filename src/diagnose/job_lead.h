// How an answer names the job that was found: first, because the reader did not say which.
#pragma once

#include <string>

#include "diagnose/finding.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// "python3 (4242)"; where it was found and nothing shows that it uses a device, that too.
[[nodiscard]] std::string JobName(const JobFacts& job);
/// What stands before the headline of a finding about the job or what it waits for, "python3
/// (4242): "; empty where --pid named the job, and where it is doubted.
[[nodiscard]] std::string JobLead(const JobFacts& job, const Finding& finding);
/// A sentence of its own for a job that was found and shows no sign of a device; else empty.
[[nodiscard]] std::string JobDoubt(const JobFacts& job, const Finding& finding);

}  // namespace gpuwhy
