// Streams a live run into a recording: what was seen is in the file about a second later.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "capture/capture.h"
#include "capture/codec.h"
#include "capture/interner.h"
#include "os/append_file.h"

namespace gpuwhy {

/// After the first failed write nothing more is written, and that failure is what Finish returns.
class RecordingWriter {
 public:
  explicit RecordingWriter(std::unique_ptr<AppendFile> file) : file_(std::move(file)) {}

  /// First of all.
  void Begin(const RunInfo& run, const HostInfo& host);
  /// samples, with those names and details of the interner that the file does not hold yet.
  void Add(const Capture& samples, Interner& interner);
  /// The end of a complete recording; waits until it is on its medium.
  [[nodiscard]] Status Finish(const Capture& capture, const std::string& diagnosis_json);
  /// The disk is full: going on watching would keep nothing.
  [[nodiscard]] bool Failed() const { return failure_.has_value(); }

 private:
  void Append(const std::string& bytes);

  std::unique_ptr<AppendFile> file_;
  TableSizes held_{1, 1};  // index 0 stands for itself
  std::optional<Error> failure_;
};

}  // namespace gpuwhy
