// Each kernel's time in each measured step: what a comparison of two traces asks for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/kernel_class.h"
#include "trace/steps.h"
#include "trace/timeline.h"

namespace gpuwhy::trace {

struct StepKernel {
  std::string name;
  KernelClass kernel_class = KernelClass::kOther;
  std::vector<std::int64_t> ns, count;  ///< one a measured step, in the order of StepList
};

/// Work belongs to the step in which the device began it. Without measured steps the whole trace is
/// one. In order of names; what began in no measured step is not in it.
[[nodiscard]] std::vector<StepKernel> KernelsByStep(const Timeline& timeline,
                                                    const StepList& steps);

}  // namespace gpuwhy::trace
