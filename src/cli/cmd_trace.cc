#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/i18n.h"
#include "cli/commands.h"
#include "cli/deliver.h"
#include "cli/output.h"
#include "cli/version.h"
#include "cli/watch.h"
#include "os/sequential_file.h"
#include "report/trace_json.h"
#include "report/trace_text.h"
#include "trace/analysis.h"
#include "trace/trace_file.h"

namespace gpuwhy {
namespace {

class FileStream final : public trace::ByteStream {
 public:
  explicit FileStream(std::unique_ptr<SequentialFile> file) : file_(std::move(file)) {}
  Result<std::size_t> Read(std::span<char> buffer) override { return file_->Read(buffer); }

 private:
  std::unique_ptr<SequentialFile> file_;
};

// Reads and explains one file after the other; only the small summaries stay.
class TraceReader {
 public:
  Status Read(const std::string& path) {
    Result<std::unique_ptr<SequentialFile>> file = OpenSequentialFile(path);
    if (!file.ok()) return file.error();
    return trace::ImportTraceFile(
        path, std::make_unique<FileStream>(*std::move(file)), [&](trace::Timeline timeline) {
          const auto rank = static_cast<std::int64_t>(summaries_.size());
          trace::Analysis analysis = trace::Analyze(std::move(timeline), rank);
          report_.files.push_back(std::move(analysis.report));
          summaries_.push_back(std::move(analysis.summary));
        });
  }

  trace::TraceReport Finish() {
    if (summaries_.size() > 1) report_.ranks = trace::CompareRanks(summaries_);
    return std::move(report_);
  }

 private:
  trace::TraceReport report_;
  std::vector<trace::RankSummary> summaries_;
};

bool HasDeviceWork(const trace::TraceReport& report) {
  return std::any_of(report.files.begin(), report.files.end(),
                     [](const trace::FileReport& file) { return file.gpu_events > 0; });
}

}  // namespace

int RunTrace(const TraceOptions& options) {
  const std::function<void(const std::string&)> progress = Progress(options.render);
  TraceReader reader;
  bool failed = false;
  for (const std::string& path : options.files) {
    if (progress) progress(Format(_("Reading {}"), path));
    const Status read = reader.Read(path);
    if (read.ok()) continue;
    static_cast<void>(Refuse(read.error()));
    failed = true;
  }
  const trace::TraceReport report = reader.Finish();
  if (report.files.empty()) return kExitUsage;
  const Status written = DeliverText(options.render.format == ReportFormat::kJson
                                         ? RenderTraceJson(report, Version())
                                         : RenderTraceText(report, TextFor(options.render)),
                                     options.render);
  if (!written.ok()) return Refuse(written.error());
  if (failed) return kExitUsage;
  return HasDeviceWork(report) ? kExitNothing : kExitUnmeasured;
}

}  // namespace gpuwhy
