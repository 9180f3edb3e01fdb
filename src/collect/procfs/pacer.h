// Keeps the looking within its share of a core by choosing the pause between two looks.
#pragma once

#include "base/time.h"

namespace gpuwhy {

class Pacer {
 public:
  /// aim: the shortest period; budget: share of one core, on average.
  Pacer(Nanos aim, double budget) : aim_(aim), budget_(budget) {}

  /// CPU time that one look at the threads took.
  void AddLook(Nanos cpu);
  /// CPU time of the rest (counters, descriptors, sockets), done once per `interval`.
  void AddChores(Nanos cpu, Nanos interval);
  /// From aim up to kSlowest.
  [[nodiscard]] Nanos Period() const;
  /// What the chores take, as a share of one core.
  [[nodiscard]] double ChoreShare() const { return chore_share_; }
  /// CPU time that a single look may take at the slowest cadence.
  [[nodiscard]] Nanos MostPerLook() const;
  [[nodiscard]] double Budget() const { return budget_; }
  [[nodiscard]] Nanos Aim() const { return aim_; }

  static constexpr Nanos kSlowest = std::chrono::milliseconds(500);

 private:
  [[nodiscard]] double LeftForLooks() const;

  Nanos aim_;
  double budget_;
  double look_seconds_ = 0;  // moving average
  double chore_share_ = 0;   // moving average
};

}  // namespace gpuwhy
