#include <algorithm>
#include <functional>

#include "base/i18n.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/deliver.h"
#include "cli/output.h"
#include "cli/seen_files.h"
#include "cli/trace_reader.h"
#include "cli/watch.h"
#include "report/trace_json.h"
#include "report/trace_text.h"
#include "trace/analysis.h"

namespace gpuwhy {
namespace {

bool HasDeviceWork(const trace::TraceReport& report) {
  return std::any_of(report.files.begin(), report.files.end(),
                     [](const trace::FileReport& file) { return file.gpu_events > 0; });
}

}  // namespace

int RunTrace(const TraceOptions& options) {
  const Status output = CheckOutput(options.render, options.files);
  if (!output.ok()) return Refuse(output.error());
  if (options.mode == TraceMode::kCompare) return RunTraceCompare(options);
  const std::function<void(const std::string&)> progress = Progress(options.render);
  TraceReader reader;
  SeenFiles seen;
  bool failed = false;
  for (const std::string& path : options.files) {
    if (const std::string first = seen.Add(path); !first.empty()) {
      Say(Error{Format(_("read once: it is the same file as {}"), first), path, 0}.Text());
      continue;
    }
    if (progress) progress(Format(_("Reading {}"), path));
    const Status read = reader.Read(path);
    if (read.ok()) continue;
    static_cast<void>(Refuse(read.error()));
    failed = true;
  }
  const trace::TraceReport report = reader.Finish();
  if (report.files.empty()) return kExitUsage;
  // From here on no file is touched.
  const Diagnosis diagnosis = AnswerTrace(report, Policy{}, {});
  const Status written =
      options.render.format == ReportFormat::kJson
          ? DeliverText(RenderTraceJson(report, diagnosis), options.render)
          : DeliverText(RenderTraceText(report, diagnosis, TextFor(options.render)),
                        options.render);
  if (!written.ok()) return Refuse(written.error());
  if (failed) return kExitUsage;
  return HasDeviceWork(report) ? kExitNothing : kExitUnmeasured;
}

}  // namespace gpuwhy
