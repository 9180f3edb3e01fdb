#include "cli/trace_reader.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "os/sequential_file.h"
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

}  // namespace

Status TraceReader::Read(const std::string& path) {
  Result<std::unique_ptr<SequentialFile>> file = OpenSequentialFile(path);
  if (!file.ok()) return file.error();
  return trace::ImportTraceFile(path, std::make_unique<FileStream>(*std::move(file)),
                                [&](trace::Timeline timeline) { Take(std::move(timeline)); });
}

Status TraceReader::ReadBytes(const std::string& name, std::string_view bytes) {
  return trace::ImportTraceFile(name, trace::MakeMemoryStream(bytes),
                                [&](trace::Timeline timeline) { Take(std::move(timeline)); });
}

void TraceReader::Take(trace::Timeline timeline) {
  const auto rank = static_cast<std::int64_t>(summaries_.size());
  trace::Analysis analysis = trace::Analyze(std::move(timeline), rank, keep_);
  report_.files.push_back(std::move(analysis.report));
  summaries_.push_back(std::move(analysis.summary));
}

trace::TraceReport TraceReader::Finish() {
  if (summaries_.size() > 1) report_.ranks = trace::CompareRanks(summaries_);
  return std::move(report_);
}

bool MayBeTrace(std::string_view first) {
  if (trace::MayHoldTrace(first)) return true;
  // What the first keys of a trace are, whoever wrote it.
  static constexpr std::array<std::string_view, 5> kKeys = {"\"traceEvents\"", "\"schemaVersion\"",
                                                            "\"deviceProperties\"",
                                                            "\"displayTimeUnit\"", "\"ph\""};
  const std::size_t start = first.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (start == std::string_view::npos || (first[start] != '{' && first[start] != '[')) return false;
  return std::any_of(kKeys.begin(), kKeys.end(), [&](std::string_view key) {
    return first.find(key) != std::string_view::npos;
  });
}

}  // namespace gpuwhy
