#include "cli/trace_reader.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

#include "cli/database_doubts.h"
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
  std::error_code unknown;
  const bool again = std::filesystem::is_regular_file(path, unknown);
  return Import({path, again ? path : ""}, std::make_unique<FileStream>(*std::move(file)));
}

Status TraceReader::ReadStream(const std::string& name, std::unique_ptr<trace::ByteStream> bytes) {
  return Import({name, ""}, std::move(bytes));
}

Status TraceReader::Import(const trace::TraceSource& source,
                           std::unique_ptr<trace::ByteStream> bytes) {
  problems_.clear();
  const std::size_t before = report_.files.size();
  // Before it is read: a lock may be gone afterwards.
  const std::vector<std::string> doubts =
      source.path.empty() ? std::vector<std::string>() : DatabaseDoubts(source.path);
  Result<std::vector<Error>> left_out = trace::ImportTraceFile(
      source, std::move(bytes), [&](trace::Timeline timeline) { Take(std::move(timeline)); });
  if (!left_out.ok()) {
    Error error = left_out.error();
    for (const std::string& doubt : doubts) error.message += "; " + doubt;
    return error;
  }
  if (report_.files.back().format == "nsys-sqlite") {
    std::vector<std::string>& problems = report_.files.back().problems;
    problems.insert(problems.begin(), doubts.begin(), doubts.end());
  }
  // With the last of the traces beside which they were: a report has no other place for them.
  for (const Error& error : *left_out) report_.files.back().problems.push_back(error.Text());
  const bool archive = report_.files.size() - before > 1;
  for (std::size_t i = before; i < report_.files.size(); ++i) {
    const trace::FileReport& file = report_.files[i];
    for (const std::string& problem : file.problems) {
      problems_.push_back(archive ? file.file + ": " + problem : problem);
    }
  }
  return Done{};
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
