// Profiler traces on their way in: read one after the other, only what is said of them stays.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "trace/analysis.h"
#include "trace/byte_stream.h"
#include "trace/trace_file.h"

namespace gpuwhy {

class TraceReader {
 public:
  TraceReader() = default;
  explicit TraceReader(trace::Keep keep) : keep_(keep) {}

  /// A trace, or an archive of some. Error: nothing in the file is one.
  Status Read(const std::string& path);
  /// The same from a pipe; SQLite can't be read so.
  Status ReadStream(const std::string& name, std::unique_ptr<trace::ByteStream> bytes);
  /// What is doubtful, lost or left out of the file that was read last, for people.
  [[nodiscard]] const std::vector<std::string>& Problems() const { return problems_; }

  /// What WriteSummary wrote of one rank or several.
  Status ReadSummary(const std::string& path);

  [[nodiscard]] bool Empty() const { return ranks_.empty(); }
  /// The last, after all files were read: compares the ranks. A rank that no trace names is the
  /// place of its file.
  [[nodiscard]] trace::TraceReport Finish();
  /// Instead of Finish(): what a summary is made of.
  [[nodiscard]] std::vector<trace::Analysis> TakeRanks() { return std::move(ranks_); }

 private:
  Status Import(const trace::TraceSource& source, std::unique_ptr<trace::ByteStream> bytes);
  void Take(trace::Timeline timeline);
  trace::Keep keep_;
  std::vector<trace::Analysis> ranks_;
  std::vector<std::string> problems_;
};

/// Can these first bytes (64 KiB, or all there are) be those of a trace? Compressed files and
/// archives can: what is in them only reading tells.
[[nodiscard]] bool MayBeTrace(std::string_view first);

}  // namespace gpuwhy
