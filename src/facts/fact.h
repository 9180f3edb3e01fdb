// Fact: (id, subject, scope, statistic) -> value or Missing, with where it comes from.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "base/reading.h"
#include "base/time.h"
#include "facts/catalogue.h"
#include "facts/subject.h"

namespace gpuwhy {

using FactValue = std::variant<double, bool, std::string>;

/// Which part of the window a fact speaks of.
enum class ScopePart : unsigned char { kWhole, kBusy, kIdle, kInStep, kSlowStep };
[[nodiscard]] std::string_view ScopePartId(ScopePart part);

struct Scope {
  MonoTime from, to;
  ScopePart part = ScopePart::kWhole;
  friend auto operator<=>(const Scope&, const Scope&) = default;
};

enum class StatKind : unsigned char { kLast, kMean, kP50, kP95, kMax, kShare, kSlope, kDelta };
[[nodiscard]] std::string_view StatKindId(StatKind kind);

struct Statistic {
  StatKind kind = StatKind::kLast;
  std::uint64_t n = 0;  ///< samples or operations behind it; 0: counted exactly, no sampling
  double coverage = 1;  ///< share of the scope that was observed
  friend bool operator==(const Statistic&, const Statistic&) = default;
};

/// An interval that holds the true value with 95 % where it was sampled; equal ends where it was
/// counted.
struct Interval {
  double low = 0, high = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

enum class Origin : unsigned char { kRead, kSampled, kComputed, kInferred };
[[nodiscard]] std::string_view OriginId(Origin origin);

struct Provenance {
  std::string reader;  ///< collector or parser: "job", "psi", "nvidia-smi-q"
  std::string source;  ///< path or file:line: "/proc/PID/task/*/schedstat"
  Origin origin = Origin::kRead;
  friend bool operator==(const Provenance&, const Provenance&) = default;
};

struct Fact {
  FactId id{};
  Subject subject;
  Scope scope;
  Statistic stat;
  Reading<FactValue> value;
  Interval interval;  ///< of a numeric value
  Provenance provenance;

  /// Precondition: value.has() and numeric.
  [[nodiscard]] double Number() const { return std::get<double>(*value); }
};

}  // namespace gpuwhy
