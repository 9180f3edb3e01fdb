// The recording codec: Capture <-> frames (format.md). A file may end anywhere: what is whole is
// used, the rest is said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "capture/capture.h"

namespace gpuwhy {

/// Starts every recording: magic, format version, and the run as known at the start.
[[nodiscard]] std::string EncodeHeader(const RunInfo& run, const HostInfo& host);
/// How many entries, index 0 included, of each table the file holds already; 0: not told.
struct TableSizes {
  std::size_t names = 0, details = 0;
};
/// Frames for everything in part but run, host and sources: its names and details are those that
/// the file does not hold yet, in index order (a leading "" or WaitDetail{} is index 0 and is not
/// stored). Take the samples first, then the details, then the names: so none refers to what only
/// the next part holds. An empty part gives no bytes. One call is one unit of loss: a reader takes
/// all of it or, where it is cut, the frames before the cut. Where held is not told, a reader that
/// lost a frame before this part can't place its names, and drops them.
[[nodiscard]] std::string EncodePart(const Capture& part, TableSizes held = {});
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
  std::uint64_t lost_bytes = 0;      ///< after the last frame used
  std::uint64_t dangling_ids = 0;    ///< names and details not in the tables: now 0, "not known"
};

/// Does it start like a recording?
[[nodiscard]] bool IsRecording(std::string_view bytes);
/// Error: not a recording, a newer format version, or a header that can't be read. Damage after it
/// is counted, not an error. Memory is bounded: a frame inflates to at most 64 MiB, the whole to at
/// most max_bytes of payload and records together; what follows is lost.
[[nodiscard]] Result<DecodedRecording> DecodeRecording(std::string_view bytes,
                                                       const std::string& name,
                                                       std::uint64_t max_bytes = std::uint64_t{2}
                                                                                 << 30U);

}  // namespace gpuwhy
