// Why device memory was refused, by the figures of the message.
#pragma once

#include "diagnose/rules/stated.h"

namespace gpuwhy {

enum class RefusalCause : unsigned char {
  kTooSmall,
  kFragmented,
  kOtherProcess,
  kElsewhere,
  kUnknown
};

/// One finding for the first message with this cause; the others say the same.
[[nodiscard]] RuleResult Refused(const StatedClaim& claim, const FactSet& facts,
                                 RefusalCause cause);

}  // namespace gpuwhy
