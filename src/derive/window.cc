#include "derive/window.h"

#include <utility>

#include "capture/recent.h"

namespace gpuwhy {
namespace {

MonoTime LastSample(const Capture& capture) {
  MonoTime last;
  for (const CpuSample& sample : capture.cpu) last = std::max(last, sample.at);
  for (const ThreadSample& sample : capture.thread_samples) last = std::max(last, sample.at);
  for (const ThreadCounters& sample : capture.thread_counters) last = std::max(last, sample.at);
  return last;
}

}  // namespace

Scope DiagnosedWindow(const Capture& capture) {
  Scope window{std::max(capture.run.started, capture.run.focused), capture.run.ended,
               ScopePart::kWhole};
  if (window.to <= window.from) window.to = std::max(window.from, LastSample(capture));
  if (window.to - window.from > kMostDiagnosed) window.from = window.to + -kMostDiagnosed;
  return window;
}

Scope DiscoveryWindow(const Capture& capture) {
  Scope window{capture.run.started, capture.run.focused, ScopePart::kWhole};
  if (window.to <= window.from) window.to = std::max(window.from, LastSample(capture));
  return window;
}

Missing WhyNothing(const Capture& capture, std::string_view name, std::string what) {
  for (const SourceReport& source : capture.sources) {
    if (source.name != name) continue;
    if (!source.missing.empty()) return source.missing.front();
    if (source.stuck || source.late > 0) return {Why::kTimedOut, source.name};
  }
  return {Why::kNotSampled, std::move(what)};
}

}  // namespace gpuwhy
