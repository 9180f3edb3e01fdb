#include "cli/trace_reader.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

#include "cli/database_doubts.h"
#include "cli/read_file.h"
#include "os/sequential_file.h"
#include "trace/summary_file.h"
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
  const std::size_t before = ranks_.size();
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
  trace::FileReport& last = ranks_.back().report;
  if (last.format == "nsys-sqlite")
    last.problems.insert(last.problems.begin(), doubts.begin(), doubts.end());
  // With the last of the traces beside which they were: a report has no other place for them.
  for (const Error& error : *left_out) last.problems.push_back(error.Text());
  const bool archive = ranks_.size() - before > 1;
  for (std::size_t i = before; i < ranks_.size(); ++i) {
    const trace::FileReport& file = ranks_[i].report;
    for (const std::string& problem : file.problems) {
      problems_.push_back(archive ? file.file + ": " + problem : problem);
    }
  }
  return Done{};
}

Status TraceReader::ReadSummary(const std::string& path) {
  constexpr std::size_t kLargestSummary = std::size_t{512} << 20U;
  Result<std::string> text = ReadNamedFile(path, nullptr, kLargestSummary);
  if (!text.ok()) return text.error();
  Result<std::vector<trace::Analysis>> ranks = trace::ReadSummary(*text, path);
  if (!ranks.ok()) return ranks.error();
  std::move(ranks->begin(), ranks->end(), std::back_inserter(ranks_));
  return Done{};
}

void TraceReader::Take(trace::Timeline timeline) {
  constexpr std::int64_t kToBeGiven = -1;
  ranks_.push_back(trace::Analyze(std::move(timeline), kToBeGiven, keep_));
}

trace::TraceReport TraceReader::Finish() {
  trace::TraceReport report;
  std::vector<trace::RankSummary> summaries;
  for (trace::Analysis& rank : ranks_) {
    const auto place = static_cast<std::int64_t>(summaries.size());
    if (rank.summary.rank < 0) rank.summary.rank = place;
    report.files.push_back(std::move(rank.report));
    summaries.push_back(std::move(rank.summary));
  }
  ranks_.clear();
  if (summaries.size() > 1) report.ranks = trace::CompareRanks(summaries);
  return report;
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
