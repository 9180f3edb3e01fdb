#include "facts/fact.h"

namespace gpuwhy {

std::string_view ScopePartId(ScopePart part) {
  switch (part) {
    case ScopePart::kWhole:
      return "window";
    case ScopePart::kBusy:
      return "busy";
    case ScopePart::kIdle:
      return "idle";
    case ScopePart::kInStep:
      return "in-step";
    case ScopePart::kSlowStep:
      return "slow-step";
  }
  return "window";
}

std::string_view StatKindId(StatKind kind) {
  switch (kind) {
    case StatKind::kLast:
      return "last";
    case StatKind::kMean:
      return "mean";
    case StatKind::kP50:
      return "p50";
    case StatKind::kP95:
      return "p95";
    case StatKind::kMax:
      return "max";
    case StatKind::kShare:
      return "share";
    case StatKind::kSlope:
      return "slope";
    case StatKind::kDelta:
      return "delta";
  }
  return "last";
}

std::string_view OriginId(Origin origin) {
  switch (origin) {
    case Origin::kRead:
      return "read";
    case Origin::kSampled:
      return "sampled";
    case Origin::kComputed:
      return "computed";
    case Origin::kInferred:
      return "inferred";
  }
  return "read";
}

}  // namespace gpuwhy
