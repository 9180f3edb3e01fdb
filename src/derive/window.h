// The part of a capture that is diagnosed, and counters read at its two ends.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/capture.h"
#include "facts/fact.h"

namespace gpuwhy {

/// [focused, ended] of the run, of a longer one its last kMostDiagnosed. Where a run has no end (a
/// live capture so far, a cut recording) the last sample ends it.
[[nodiscard]] Scope DiagnosedWindow(const Capture& capture);
/// [started, focused]: while the job was looked for; until the last sample where focused is not
/// known yet.
[[nodiscard]] Scope DiscoveryWindow(const Capture& capture);

/// Why source `name` has no data: its first reason, else kNotSampled with `what`.
[[nodiscard]] Missing WhyNothing(const Capture& capture, std::string_view name, std::string what);

/// later - earlier; Missing{kWentBackwards} where it fell.
[[nodiscard]] inline Reading<double> Growth(std::uint64_t earlier, std::uint64_t later,
                                            std::string_view what) {
  if (later < earlier) return Missing{Why::kWentBackwards, std::string(what)};
  return static_cast<double>(later - earlier);
}

/// Missing also where one of the two is, with its reason.
[[nodiscard]] inline Reading<double> Growth(const Reading<std::uint64_t>& earlier,
                                            const Reading<std::uint64_t>& later,
                                            std::string_view what) {
  if (!earlier) return earlier.missing();
  if (!later) return later.missing();
  return Growth(*earlier, *later, what);
}

/// The samples of one counter that bound the window, out of those in order of time.
template <class Sample>
struct Ends {
  const Sample* first = nullptr;
  const Sample* last = nullptr;
  /// Seconds between them; 0 where there are not two.
  [[nodiscard]] double Span() const {
    return first == nullptr || last == nullptr ? 0 : Seconds(last->at - first->at);
  }
};

/// Takes the last sample at or before the window's start, else the first after it, and the last
/// one of all: a counter's final read comes shortly after the window ends.
template <class Sample>
void NoteEnd(Ends<Sample>& ends, const Sample& sample, const Scope& window) {
  if (ends.first == nullptr || (sample.at <= window.from && sample.at >= ends.first->at) ||
      (ends.first->at > window.from && sample.at < ends.first->at)) {
    ends.first = &sample;
  }
  if (ends.last == nullptr || sample.at >= ends.last->at) ends.last = &sample;
}

}  // namespace gpuwhy
