// How rules on the log of a training loop or the table of a profiler make their findings; each
// looks at every input by itself.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "diagnose/rule.h"

namespace gpuwhy {

// Shares of the step from which a part is named. Sources: xprof calls 5 % of input moderate and
// 20 % high, TraceML warns from 10 %; collectives are a topic from 30 % (xprof).
constexpr double kInputShare = 0.10;
constexpr double kComputeShare = 0.75;
constexpr double kOptimizerShare = 0.35;
constexpr double kCommShare = 0.30;
constexpr double kPipelineShare = 0.15;
constexpr double kEvaluationShare = 0.25;
// Kernel time over CPU time: under a third the host can't keep the device busy, from 0.8 the
// device is what the CPU waits for.
constexpr double kDeviceIdle = 0.33;
constexpr double kDeviceBusy = 0.80;

struct StepClaim {
  std::string_view id;
  const char *title, *meaning, *decision, *fix;  ///< the title has a place for a share
};

/// The finding of an input, with the share in its title and as its evidence.
[[nodiscard]] Finding StepFinding(const StepClaim& claim, const Fact& share, Confidence confidence);
/// Adds facts of the same input that show it; twelve in all.
void CiteOfInput(const FactSet& facts, const Subject& subject, std::initializer_list<FactId> ids,
                 Finding& finding);
/// The step gets shorter by what it waits, at most: part of it may only move elsewhere.
[[nodiscard]] Cost RatioCost(double share);
[[nodiscard]] Confidence BySteps(const Fact& share);  ///< how often the log or table says it
/// Of every subject, the numbers that reach the threshold (in the fact's own unit).
[[nodiscard]] std::vector<const Fact*> AtLeast(const FactSet& facts, FactId id, double threshold);
/// Findings that the step is bound by what takes at least this share of it.
[[nodiscard]] RuleResult StepLimits(const StepClaim& claim, const FactSet& facts, FactId id,
                                    double threshold);

}  // namespace gpuwhy
