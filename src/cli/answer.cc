#include "cli/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "cli/version.h"
#include "derive/derive.h"
#include "derive/trace_facts.h"
#include "derive/window.h"
#include "diagnose/diagnose.h"

namespace gpuwhy {
namespace {

SourceInfo SourceOf(const Capture& capture, const std::string& kind) {
  SourceInfo source;
  source.kind = kind;
  // The answer is about what was watched, of a long run about its last minutes.
  const Scope window = DiagnosedWindow(capture);
  const bool long_run = window.from > std::max(capture.run.started, capture.run.focused);
  const MonoTime from = long_run ? window.from : capture.run.started;
  source.started = UtcText(capture.run.started_realtime + (from - capture.run.started));
  source.duration_s = Seconds(capture.run.ended - from);
  source.host = capture.host.id;
  source.started_mono = capture.run.started;
  return source;
}

Overhead OwnCost(const Capture& capture) {
  Overhead overhead;
  // Both are 0 only where a recording has no end: it was cut.
  const double window = Seconds(capture.run.ended - capture.run.started);
  if (capture.run.tool_cpu.count() > 0 && window > 0) {
    overhead.cpu_share = Seconds(capture.run.tool_cpu) / window;
  }
  if (capture.run.peak_rss_kib > 0) {
    overhead.peak_rss_kib = static_cast<double>(capture.run.peak_rss_kib);
  }
  for (const SourceReport& report : capture.sources) {
    overhead.samples += report.answered;
    overhead.late += report.late;
    overhead.lost += report.lost;
  }
  return overhead;
}

Diagnosis Judge(const FactSet& facts, const Capture& capture, const Policy& policy,
                const std::string& source_kind) {
  Diagnosis diagnosis = Diagnose(facts, policy);
  diagnosis.tool_version = Version();
  diagnosis.source = SourceOf(capture, source_kind);
  diagnosis.overhead = OwnCost(capture);
  return diagnosis;
}

}  // namespace

Diagnosis Answer(const Capture& capture, const Policy& policy, const std::string& source_kind,
                 std::vector<InputReport> inputs) {
  Diagnosis diagnosis = Judge(Derive(capture), capture, policy, source_kind);
  diagnosis.inputs = std::move(inputs);
  return diagnosis;
}

Diagnosis AnswerNode(const Capture& capture, const Policy& policy) {
  return Judge(DeriveNode(capture), capture, policy, "node");
}

Diagnosis AnswerTrace(const trace::TraceReport& report, const Policy& policy,
                      std::vector<InputReport> inputs) {
  const FactSet facts = DeriveTrace(report);
  Diagnosis diagnosis = Diagnose(facts, policy);
  diagnosis.tool_version = Version();
  diagnosis.source.kind = "trace";
  diagnosis.source.duration_s = Seconds(facts.window.to - facts.window.from);
  diagnosis.source.started_mono = facts.window.from;
  diagnosis.inputs = std::move(inputs);
  return diagnosis;
}

std::string UtcText(Nanos since_epoch) {
  if (since_epoch.count() <= 0) return "";
  const std::chrono::sys_seconds time{std::chrono::floor<std::chrono::seconds>(since_epoch)};
  const std::chrono::sys_days day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{time - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

}  // namespace gpuwhy
