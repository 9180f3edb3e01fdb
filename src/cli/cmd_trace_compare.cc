#include <functional>
#include <utility>

#include "base/i18n.h"
#include "cli/commands.h"
#include "cli/deliver.h"
#include "cli/trace_reader.h"
#include "cli/version.h"
#include "cli/watch.h"
#include "report/compare_json.h"
#include "report/compare_text.h"
#include "trace/compare.h"

namespace gpuwhy {
namespace {

Result<trace::FileReport> ReadOne(const std::string& path) {
  TraceReader reader(trace::Keep{true});
  const Status read = reader.Read(path);
  if (!read.ok()) return read.error();
  trace::TraceReport report = reader.Finish();
  if (report.files.size() != 1) {
    return Error{Format(_("holds {} traces: to be compared it must be one"), report.files.size()),
                 path, 0};
  }
  return std::move(report.files.front());
}

}  // namespace

int RunTraceCompare(const TraceOptions& options) {
  const std::function<void(const std::string&)> progress = Progress(options.render);
  std::vector<trace::FileReport> sides;
  bool measured = true;
  for (const std::string& path : options.files) {
    if (progress) progress(Format(_("Reading {}"), path));
    Result<trace::FileReport> side = ReadOne(path);
    if (!side.ok()) return Refuse(side.error());
    measured = measured && side->gpu_events > 0;
    sides.push_back(*std::move(side));
  }
  // From here on no file is touched.
  const trace::TraceComparison comparison = trace::CompareTraces(sides.at(0), sides.at(1));
  const Status written =
      options.render.format == ReportFormat::kJson
          ? DeliverText(RenderCompareJson(comparison, Version()), options.render)
          : DeliverText(RenderCompareText(comparison, TextFor(options.render)), options.render);
  if (!written.ok()) return Refuse(written.error());
  return measured ? kExitNothing : kExitUnmeasured;
}

}  // namespace gpuwhy
