// The known variables of the watched job's processes.
#pragma once

#include <string_view>
#include <vector>

#include "facts/fact_set.h"

namespace gpuwhy {

struct JobVariable {
  std::string_view value;
  const Fact* fact = nullptr;
};

/// Every setting of the variable among the job's processes. Lines of settings files count only
/// where no environment sets it: NCCL lets the environment win. Borrows the facts.
[[nodiscard]] std::vector<JobVariable> JobVariables(const FactSet& facts, std::string_view name);

}  // namespace gpuwhy
