// The diagnosis as JSON, schema gpuwhy.diagnosis/1 (docs/gpuwhy.diagnosis.1.schema.json). Keys are
// only ever added.
#pragma once

#include <string>

#include "diagnose/diagnosis.h"

namespace gpuwhy {

/// Indented, keys in the order of the schema, ends with a newline. Texts of unknown origin are made
/// printable.
[[nodiscard]] std::string RenderJson(const Diagnosis& diagnosis);

}  // namespace gpuwhy
