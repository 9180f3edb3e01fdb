// Diagnoses built by hand, for the tests of report/ and cli/.
#pragma once

#include "diagnose/diagnosis.h"

namespace gpuwhy {

/// Loaders wait for opens on a FUSE mount; a consequence, a risk, an ok and an unknown beside it.
[[nodiscard]] Diagnosis StarvedJob();
/// Two jobs, none of them stands out; nothing else was looked at.
[[nodiscard]] Diagnosis UndecidedJobs();
/// Not one source answered.
[[nodiscard]] Diagnosis NothingMeasured();
/// job.healthy is the verdict.
[[nodiscard]] Diagnosis HealthyJob();
/// A GPU fell off the bus: an alert.
[[nodiscard]] Diagnosis LostGpu();
/// StarvedJob with escape sequences, control bytes and bidi marks in every name, and with numbers
/// that are none.
[[nodiscard]] Diagnosis HostileNames();

}  // namespace gpuwhy
