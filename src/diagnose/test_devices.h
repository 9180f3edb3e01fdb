// Facts of devices that are ill or idle, one for each thing that a rule of the device looks for.
#pragma once

#include <vector>

#include "diagnose/test_facts.h"

namespace gpuwhy {

/// Without a job. Each trips at least one rule.
[[nodiscard]] std::vector<TestFacts> SickDevices();

}  // namespace gpuwhy
