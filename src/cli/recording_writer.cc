#include "cli/recording_writer.h"

#include <utility>

namespace gpuwhy {

void RecordingWriter::Begin(const RunInfo& run, const HostInfo& host) {
  Append(EncodeHeader(run, host));
}

void RecordingWriter::Add(const Capture& samples, Interner& interner) {
  Capture part = samples;
  // In this order: a detail names names, so none refers to what only the next part holds.
  part.details = interner.DetailsFrom(held_.details);
  part.names = interner.NamesFrom(held_.names);
  const std::string bytes = EncodePart(part, held_);
  held_.names += part.names.size();
  held_.details += part.details.size();
  Append(bytes);
}

Status RecordingWriter::Finish(const Capture& capture, const std::string& diagnosis_json) {
  Append(EncodeEnd(capture.run, capture.sources, diagnosis_json));
  if (failure_) return *failure_;
  return file_->Close();
}

void RecordingWriter::Append(const std::string& bytes) {
  if (failure_ || bytes.empty()) return;
  const Status status = file_->Append(bytes);
  if (!status.ok()) failure_ = status.error();
}

}  // namespace gpuwhy
