#include <algorithm>
#include <functional>

#include "base/i18n.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/deliver.h"
#include "cli/output.h"
#include "cli/seen_files.h"
#include "cli/trace_reader.h"
#include "cli/version.h"
#include "cli/watch.h"
#include "report/trace_json.h"
#include "report/trace_text.h"
#include "trace/analysis.h"
#include "trace/summary_file.h"

namespace gpuwhy {
namespace {

bool HasDeviceWork(const trace::TraceReport& report) {
  return std::any_of(report.files.begin(), report.files.end(),
                     [](const trace::FileReport& file) { return file.gpu_events > 0; });
}

int DeliverSummary(TraceReader& reader, const RenderOptions& render) {
  const std::vector<trace::Analysis> ranks = reader.TakeRanks();
  const Status written = DeliverText(trace::WriteSummary(ranks, Version()), render);
  return written.ok() ? kExitNothing : Refuse(written.error());
}

int DeliverTrace(const trace::TraceReport& report, const RenderOptions& render) {
  const Diagnosis diagnosis = AnswerTrace(report, Policy{}, {});
  const Status written =
      render.format == ReportFormat::kJson
          ? DeliverText(RenderTraceJson(report, diagnosis), render)
          : DeliverText(RenderTraceText(report, diagnosis, TextFor(render)), render);
  if (!written.ok()) return Refuse(written.error());
  return HasDeviceWork(report) ? kExitNothing : kExitUnmeasured;
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
    const Status read =
        options.mode == TraceMode::kMerge ? reader.ReadSummary(path) : reader.Read(path);
    if (read.ok()) continue;
    static_cast<void>(Refuse(read.error()));
    failed = true;
  }
  if (reader.Empty()) return kExitUsage;
  // From here on no file is touched.
  const int code = options.mode == TraceMode::kSummary
                       ? DeliverSummary(reader, options.render)
                       : DeliverTrace(reader.Finish(), options.render);
  return failed ? static_cast<int>(kExitUsage) : code;
}

}  // namespace gpuwhy
