// Source: one reader of the live machine. The scheduler runs each on a worker of its own, so that
// one that hangs (a dead network mount, a driver) costs its own data and nothing else.
#pragma once

#include <string_view>
#include <vector>

#include "base/reading.h"
#include "base/time.h"
#include "capture/capture.h"

namespace gpuwhy {

class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  /// Stable short name: "cpu", "psi", "block", "job".
  [[nodiscard]] virtual std::string_view Name() const = 0;
  /// Time from one look to the next; asked again after each, so that a source can slow down to stay
  /// within its budget. Zero: one look at the start and one at the end of the window.
  [[nodiscard]] virtual Nanos Period() const = 0;
  /// Each sleep is drawn from [1 - Jitter(), 1 + Jitter()] x Period(). 0.5 breaks the beat with a
  /// periodic job (a fixed period doubles the sampling error); 0 for counters.
  [[nodiscard]] virtual double Jitter() const { return 0; }
  /// A look that takes longer is late: what it gave is counted and dropped. After 10 x this the
  /// worker is given up.
  [[nodiscard]] virtual Nanos Deadline() const = 0;
  /// Appends what it saw to out (only sample vectors; names through the Interner it was made with)
  /// and returns what it could not see, with reasons. Never called concurrently with itself; runs
  /// on the source's worker.
  [[nodiscard]] virtual std::vector<Missing> Look(Capture& out) = 0;
};

}  // namespace gpuwhy
