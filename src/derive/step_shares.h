// Shares of the measured steps of a trace. Steps are samples of a job: the low end of a share
// leaves out the step that has most of it, so that one odd step proves nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "facts/fact_set.h"
#include "trace/analysis.h"

namespace gpuwhy {

struct StepShare {
  double share = 0;  ///< of all measured steps together, 0..1
  double low = 0;    ///< without the step that has most of it; of one step: the share itself
};

class StepShares {
 public:
  /// Borrows the list.
  explicit StepShares(const trace::StepList& list);

  [[nodiscard]] std::uint64_t Count() const { return steps_.size(); }
  [[nodiscard]] double MedianSeconds() const;  ///< 0 without steps
  [[nodiscard]] StepShare OfParts(const std::vector<trace::Part>& parts) const;
  /// rows: one a measured step.
  [[nodiscard]] StepShare OfRows(const std::vector<trace::StepRow>& rows,
                                 trace::StepFigure figure) const;
  /// How many steps have any of it.
  [[nodiscard]] double StepsWith(trace::Part part) const;
  [[nodiscard]] StepFacts Facts(const std::string& source) const;

 private:
  [[nodiscard]] StepShare Of(const std::vector<std::int64_t>& values) const;
  std::vector<const trace::StepAnatomy*> steps_;
};

}  // namespace gpuwhy
