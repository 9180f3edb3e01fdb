// From a capture to its diagnosis: the same for live and replayed ones.
#pragma once

#include <string>
#include <vector>

#include "capture/capture.h"
#include "diagnose/diagnosis.h"
#include "diagnose/policy.h"
#include "trace/analysis.h"

namespace gpuwhy {

/// source_kind: "live", "recording" or "captures". Pure.
[[nodiscard]] Diagnosis Answer(const Capture& capture, const Policy& policy,
                               const std::string& source_kind, std::vector<InputReport> inputs);
/// Of the node alone. Pure.
[[nodiscard]] Diagnosis AnswerNode(const Capture& capture, const Policy& policy);
/// From what traces say to a diagnosis. Pure.
[[nodiscard]] Diagnosis AnswerTrace(const trace::TraceReport& report, const Policy& policy,
                                    std::vector<InputReport> inputs);
/// RFC 3339 in UTC, to the second; "" for 0: not known.
[[nodiscard]] std::string UtcText(Nanos since_epoch);

}  // namespace gpuwhy
