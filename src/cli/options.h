// The command line: what was asked for.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/time.h"
#include "cli/exit_code.h"

namespace gpuwhy {

enum class ReportFormat : unsigned char { kText, kJson };

struct RenderOptions {
  ReportFormat format = ReportFormat::kText;
  std::string output;  ///< a file; empty: stdout
  bool verbose = false, quiet = false, no_color = false;
};

/// What to watch, and by which thresholds it is judged.
struct WatchOptions {
  std::int32_t pid = 0;  ///< 0: to be found
  Nanos duration = std::chrono::seconds(10);
  std::string policy_path;  ///< empty: defaults
  std::string nvml;         ///< the management library to open; empty: the driver's own
};

struct DiagnoseOptions {
  WatchOptions watch;
  std::vector<std::string> from;  ///< empty: this host
  FailOn fail_on = FailOn::kFix;
  RenderOptions render;
};

struct CheckOptions {
  std::string policy_path;  ///< empty: defaults
  std::string nvml;         ///< as WatchOptions::nvml
  /// What the driver's library gets to start.
  Nanos deadline = std::chrono::seconds(10);
  FailOn fail_on = FailOn::kDrain;
  RenderOptions render;
};

struct RecordOptions {
  WatchOptions watch;
  std::string file;
  RenderOptions render;
};

enum class TraceMode : unsigned char {
  kReport,
  kCompare,  ///< the first file with the second
  kSummary,  ///< a file to be merged, instead of a report
  kMerge,    ///< the files are summaries
};

struct TraceOptions {
  TraceMode mode = TraceMode::kReport;
  std::vector<std::string> files;  ///< of one job; several are taken for its ranks
  RenderOptions render;
};

struct ExplainOptions {
  std::vector<std::string> words;
  bool coverage = false;  ///< the table of what this build delivers, instead
  ReportFormat format = ReportFormat::kText;
};

/// Nothing is left to do but to print this: help, version, or what was wrong with the options.
struct Ended {
  int code = 0;
  std::string text;
};

using Options =
    std::variant<Ended, DiagnoseOptions, CheckOptions, RecordOptions, TraceOptions, ExplainOptions>;

/// languages: those that --lang may name.
[[nodiscard]] Options ParseOptions(int argc, const char* const* argv,
                                   const std::vector<std::string>& languages);
/// The value of --lang, or "" where it is not given: looked for before the options are parsed,
/// because their help is in that language too.
[[nodiscard]] std::string AskedLanguage(int argc, const char* const* argv);

}  // namespace gpuwhy
