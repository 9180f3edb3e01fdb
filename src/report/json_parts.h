// Parts of a diagnosis as JSON, for the renderers of this folder.
#pragma once

#include <nlohmann/json.hpp>

#include "diagnose/diagnosis.h"

namespace gpuwhy {

/// Of gpuwhy.diagnosis/1: the values of "verdict", "findings" and "unknown".
[[nodiscard]] nlohmann::ordered_json VerdictJson(const Diagnosis& diagnosis);
[[nodiscard]] nlohmann::ordered_json FindingsJson(const Diagnosis& diagnosis);
[[nodiscard]] nlohmann::ordered_json UnknownsJson(const Diagnosis& diagnosis);

}  // namespace gpuwhy
