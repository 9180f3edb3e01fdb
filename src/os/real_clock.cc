#include "os/real_clock.h"

#include <ctime>

namespace gpuwhy {
namespace {

// A try that is interrupted between its two reads is wide; the narrowest of five is seldom one.
constexpr int kTries = 5;

Nanos Read(clockid_t clock) {
  timespec now{};
  // Cannot fail: these clocks exist on every Linux since 2.6.39 and the address is ours.
  (void)::clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + Nanos(now.tv_nsec);
}

std::int32_t UtcOffset(Nanos realtime) {
  const std::time_t seconds = std::chrono::duration_cast<std::chrono::seconds>(realtime).count();
  std::tm local{};
  if (::localtime_r(&seconds, &local) == nullptr) return 0;
  return static_cast<std::int32_t>(local.tm_gmtoff);
}

}  // namespace

MonoTime RealClock::Now() { return {Read(CLOCK_MONOTONIC)}; }

ClockSample RealClock::Pair() {
  ClockSample best;
  for (int i = 0; i < kTries; ++i) {
    ClockSample sample;
    const Nanos before = Read(CLOCK_MONOTONIC);
    sample.boottime = Read(CLOCK_BOOTTIME);
    sample.realtime = Read(CLOCK_REALTIME);
    const Nanos after = Read(CLOCK_MONOTONIC);
    sample.half_width = (after - before) / 2;
    sample.mono = {before + sample.half_width};
    if (i == 0 || sample.half_width < best.half_width) best = sample;
  }
  best.utc_offset_s = UtcOffset(best.realtime);
  return best;
}

Nanos RealClock::ThreadCpu() { return Read(CLOCK_THREAD_CPUTIME_ID); }
Nanos RealClock::ProcessCpu() { return Read(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace gpuwhy
