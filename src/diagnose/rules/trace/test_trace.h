// Facts of a made-up trace for tests of rules: start from a fed one, change one field.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "diagnose/test_facts.h"

namespace gpuwhy {

inline const Subject kTestTrace{SubjectKind::kRank, "0"};

class TestTrace {
 public:
  /// Ten steps by markers; the device computes 30 % and idles 3 %, nothing stands out.
  TestTrace() {
    Set(FactId::kStepTime, 0.1);
    facts_.SetText(FactId::kStepConfidence, "high", kTestTrace);
    facts_.SetText(FactId::kTraceFile, "a b.json", kTestTrace);
    Set(FactId::kStepCompute, 0.30).Set(FactId::kStepIdle, 0.03);
    for (const FactId id :
         {FactId::kStepComm,       FactId::kStepTransfer,     FactId::kStepInputWait,
          FactId::kStepDispatch,   FactId::kStepDispatchSure, FactId::kStepStall,
          FactId::kStepQueued,     FactId::kStepUnexplained,  FactId::kStepSyncBubble,
          FactId::kStepPageable,   FactId::kStepReformat,     FactId::kStepPlainFp32,
          FactId::kStepPlainHalf,  FactId::kStepPeerWait,     FactId::kStepOptimizer,
          FactId::kStepCompile,    FactId::kStepCompileSteps, FactId::kStepOtherPhase,
          FactId::kStepPhaseSteps, FactId::kGainInput,        FactId::kGainCopies,
          FactId::kGainLaunches,   FactId::kGainComm,         FactId::kGainSync}) {
      Set(id, 0);
    }
  }

  TestTrace& Set(FactId id, double value, const Subject& subject = kTestTrace) {
    return Between(id, value, value, subject);
  }
  /// low: without the step that has most of it.
  TestTrace& Between(FactId id, double low, double value, const Subject& subject = kTestTrace) {
    facts_.Set(id, value, Interval{low, value}, subject);
    return *this;
  }
  TestTrace& SetText(FactId id, std::string text, const Subject& subject = kTestTrace) {
    facts_.SetText(id, std::move(text), subject);
    return *this;
  }
  TestTrace& Drop(FactId id) {
    facts_.Drop(id, kTestTrace);
    return *this;
  }
  /// As a trace in which no step was found.
  TestTrace& WithoutSteps() {
    facts_.Miss(FactId::kStepTime, Missing{Why::kNotPresent, "no whole step"}, kTestTrace);
    return *this;
  }
  [[nodiscard]] const TestFacts& Facts() const { return facts_; }
  [[nodiscard]] FactSet Build() const {
    FactSet set = facts_.Build();
    set.traced = true;
    return set;
  }

 private:
  TestFacts facts_;
};

/// One rank in which nearly every rule on traces holds at once.
inline TestTrace TroubledTrace() {
  TestTrace trace;
  for (const FactId id :
       {FactId::kStepCompute,     FactId::kStepTransfer,     FactId::kStepInputWait,
        FactId::kStepDispatch,    FactId::kStepDispatchSure, FactId::kStepStall,
        FactId::kStepQueued,      FactId::kStepSyncBubble,   FactId::kStepPageable,
        FactId::kStepReformat,    FactId::kStepPlainFp32,    FactId::kStepPlainHalf,
        FactId::kStepOptimizer,   FactId::kStepCompile,      FactId::kStepCompileSteps,
        FactId::kGainSync,        FactId::kGainLaunches,     FactId::kTraceTiny,
        FactId::kTraceSmallGrids, FactId::kTraceBlocking,    FactId::kRankLateAlone,
        FactId::kRankSpared,      FactId::kRankExcess,       FactId::kRankLast}) {
    trace.Set(id, 0.96);
  }
  trace.SetText(FactId::kRankReason, "more-work").Set(FactId::kRankKernels, 1.5);
  trace.SetText(FactId::kStepSyncCall, "cudaStreamSynchronize").Set(FactId::kStepFirst, 3);
  return trace;
}

/// One rank that communicates for most of its step, half of that waiting for others.
inline TestTrace WaitingRank() {
  TestTrace trace;
  return trace.Set(FactId::kStepComm, 0.80).Set(FactId::kStepPeerWait, 0.40);
}

}  // namespace gpuwhy
