// The recording codec: Capture <-> frames (format.md). A file may end anywhere: what is whole is
// used, the rest is said.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "capture/capture.h"

namespace gpuwhy {

/// Starts every recording: magic, format version, and the run as known at the start.
[[nodiscard]] std::string EncodeHeader(const RunInfo& run, const HostInfo& host);
/// Frames for everything in part: its names and details are those that the file does not hold yet,
/// in index order. An empty part gives no bytes. One call is one unit of loss: a reader takes all
/// of it or, where it is cut, the frames before the cut.
[[nodiscard]] std::string EncodePart(const Capture& part);
/// The last frames of a complete recording: the final RunInfo, source reports, and the live
/// diagnosis (JSON; may be empty).
[[nodiscard]] std::string EncodeEnd(const RunInfo& run, const std::vector<SourceReport>& sources,
                                    std::string_view diagnosis_json);

struct DecodedRecording {
  Capture capture;
  std::string diagnosis_json;  ///< as it was given live; empty where the recording has no end
  bool complete = false;       ///< its end frame was read
  std::uint32_t format_version = 0;
  std::uint64_t unknown_frames = 0;  ///< of a type this build does not know: skipped
  std::uint64_t damaged_frames = 0;  ///< crc or content wrong: skipped
  std::uint64_t lost_bytes = 0;      ///< after the last whole frame
};

/// Does it start like a recording?
[[nodiscard]] bool IsRecording(std::string_view bytes);
/// Error: not a recording, a newer format version, or a header that can't be read. Damage after it
/// is counted, not an error. Memory is bounded: a frame inflates to at most 64 MiB, the whole to at
/// most max_bytes of payload.
[[nodiscard]] Result<DecodedRecording> DecodeRecording(std::string_view bytes,
                                                       const std::string& name,
                                                       std::uint64_t max_bytes = std::uint64_t{2}
                                                                                 << 30U);

}  // namespace gpuwhy
