// The GPUs of the facts, as rules of the device see them: what was read of one GPU at one moment.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/rule.h"

namespace gpuwhy {

/// Borrows the fact set.
class GpuMoment {
 public:
  explicit GpuMoment(const Fact& first) : subject_(first.subject), scope_(first.scope) {}

  [[nodiscard]] const Subject& Of() const { return subject_; }
  [[nodiscard]] const Scope& When() const { return scope_; }
  void Add(const Fact& fact) { facts_.push_back(&fact); }

  /// The fact where it was read; nullptr where it is missing.
  [[nodiscard]] const Fact* Look(FactId id) const;
  [[nodiscard]] std::optional<double> Number(FactId id) const;
  [[nodiscard]] std::optional<bool> Flag(FactId id) const;
  [[nodiscard]] std::string Text(FactId id) const;  ///< empty where it is missing
  [[nodiscard]] bool IsOn(FactId id) const { return Flag(id).value_or(false); }

  /// Loads at or above policy.gpu.busy; nullopt where the utilization was not read.
  [[nodiscard]] std::optional<bool> IsBusy(const GpuPolicy& policy) const;
  /// Nothing runs on it: by its load, else by the idle reason or a low performance state.
  [[nodiscard]] bool IsIdle(const GpuPolicy& policy) const;
  /// It was asked for and the driver could not read it.
  [[nodiscard]] bool IsUnreadable(FactId id) const;
  /// 0 for "P0" to 15; nullopt where it was not read.
  [[nodiscard]] std::optional<int> PerformanceState() const;
  /// Load of the busiest fixed-function engine, in percent.
  [[nodiscard]] const Fact* BusiestEngine() const;
  /// Power as a share of the limit in force.
  [[nodiscard]] std::optional<double> PowerShare() const;
  /// Utilization that nothing else bears out: left from the driver's own start.
  [[nodiscard]] bool HasStaleUtilization(const GpuPolicy& policy) const;

 private:
  Subject subject_;
  Scope scope_;
  std::vector<const Fact*> facts_;
};

/// Every GPU at every moment, in order of the facts.
[[nodiscard]] std::vector<GpuMoment> GpuMoments(const FactSet& facts);

/// The words of a finding. The texts are marked with N_() and translated here.
struct Wording {
  const char *title, *meaning, *decision, *fix;
  const char* verify;
};

[[nodiscard]] Finding DeviceFinding(std::string_view id, const Subject& subject,
                                    const Wording& wording);  ///< evidence: the caller's
/// Cites the facts that were read at the moment.
void CiteMoment(Finding& finding, const GpuMoment& moment, const std::vector<FactId>& ids);

}  // namespace gpuwhy
