// Two traces of one program, before and after a change: what moved in its steps, and whether that
// is more than noise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/analysis.h"
#include "trace/shift.h"

namespace gpuwhy::trace {

struct ComparedSide {
  std::string file, device;  ///< device: the first one's name; empty: not recorded
  std::size_t steps = 0;     ///< measured; 0: there are none, the whole span stands for one
  std::string step_source;   ///< as StepList::source
};

struct PartShift {
  Part part = Part::kUnexplained;
  Shift ns;  ///< a step
};

struct ClassShift {
  KernelClass kernel_class = KernelClass::kOther;
  Shift ns;  ///< a step
};

enum class Presence : unsigned char { kBoth, kGone, kNew };
[[nodiscard]] std::string_view Name(Presence presence);

struct KernelShift {
  std::string name;
  KernelClass kernel_class = KernelClass::kOther;
  Presence presence = Presence::kBoth;
  Shift ns;                                        ///< a step
  std::int64_t count_before = 0, count_after = 0;  ///< a step, medians
};

struct StepPair {
  std::string before, after;  ///< names; empty: that side has no further step
  std::int64_t before_ns = 0, after_ns = 0;
};

struct TraceComparison {
  ComparedSide before, after;
  std::vector<StepPair> steps;  ///< measured ones by their order
  Shift step_ns;
  std::vector<PartShift> parts;       ///< those that either side has, by how far they moved
  std::vector<ClassShift> classes;    ///< the same; names of kernels change with library and device
  std::vector<KernelShift> kernels;   ///< by how far they moved
  std::vector<std::string> problems;  ///< translated; what makes the comparison doubtful
};

/// Both with their kernels by step. Pure.
[[nodiscard]] TraceComparison CompareTraces(const FileReport& before, const FileReport& after);

}  // namespace gpuwhy::trace
