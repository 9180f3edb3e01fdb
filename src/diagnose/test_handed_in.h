// Facts of handed-in texts for tests of rules: together they make every rule on texts hold.
#pragma once

#include <vector>

#include "diagnose/test_facts.h"

namespace gpuwhy {

[[nodiscard]] std::vector<TestFacts> HandedInTexts();

}  // namespace gpuwhy
