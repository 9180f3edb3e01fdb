// How long would it have taken if...: the timeline played again with one thing changed.
//
// The play keeps what can't be changed: the order of launches, the host's own work between them,
// the order within a stream, and what a synchronisation waits for. It is an upper bound of the
// gain: nothing else gets slower when one thing is gone.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "trace/intervals.h"
#include "trace/timeline.h"

namespace gpuwhy::trace {

enum class Change : unsigned char {
  kNoInputWait,
  kCopiesOverlapped,
  kLaunchesBatched,
  kCommunicationHidden,
  kWithoutSlowestRank,  ///< of several ranks; not by replay
  kNoSynchronisation,   ///< the host never waits for the device
};
[[nodiscard]] std::string_view Name(Change change);
/// Translated: what the replay takes for granted.
[[nodiscard]] const char* Assumption(Change change);

struct WhatIf {
  Change change = Change::kNoInputWait;
  std::int64_t now_ns = 0, then_ns = 0;  ///< span, as played without and with the change
  double gain = 0;                       ///< share of now_ns
  bool reliable = false;  ///< the play without a change comes within 10 % of what was recorded
};

/// What of a timeline is played: start-up, before the steps that are measured, is no part of what
/// could be gained.
struct Excerpt {
  Span launched = kAllTime;  ///< when the host launched it
  Span run = kAllTime;       ///< when the device began it
};

/// Empty where there are no launches to play.
[[nodiscard]] std::vector<WhatIf> PlayAgain(const Timeline& timeline, const Excerpt& excerpt = {});

}  // namespace gpuwhy::trace
