// The wait chain as an indented tree: who waits, for whom, in what, and where it ends.
#pragma once

#include <string>
#include <vector>

#include "diagnose/diagnosis.h"

namespace gpuwhy {

/// One string a line, from the consumer down, without the outer indentation. Edges in a circle are
/// drawn once. Empty where the chain is.
[[nodiscard]] std::vector<std::string> WaitTree(const Diagnosis& diagnosis);

}  // namespace gpuwhy
