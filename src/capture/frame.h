// The frames that a recording is made of: what stands around a payload (format.md). A frame says
// its length under a check of its own, so that a damaged payload costs that one frame, and a
// damaged header costs the way to the next frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "capture/column_reader.h"

namespace gpuwhy {

/// Stored: never renumber, never reuse.
enum class FrameType : unsigned char {
  kRun = 1,
  kHost = 2,
  kNames = 3,
  kDetails = 4,
  kClocks = 5,
  kCpu = 6,
  kPsi = 7,
  kBlock = 8,
  kMounts = 9,
  kProcesses = 10,
  kThreadCounters = 11,
  kProcessCounters = 12,
  kThreadSamples = 13,
  kFds = 14,
  kRegions = 15,
  kSockets = 16,
  kCgroupCpu = 17,
  kSources = 18,
  kDiagnosis = 19,
  kEnd = 20,
  kCgroupIo = 21,
  kBlockLayers = 22,
  kSysvUsers = 23,
  kDevices = 24,
  kDeviceValues = 25,
  kDeviceProcesses = 26,
  kDeviceMessages = 27,
  kFileTexts = 28,
  kKernelLines = 29,
};

/// Version of every frame type that this build writes. It says which fields and enumerators there
/// are; what it does not know a reader leaves out.
inline constexpr std::uint8_t kFrameVersion = 4;
inline constexpr std::size_t kFrameHeaderBytes = 14;
/// A payload beyond this is damage, whatever it claims to be.
inline constexpr std::uint64_t kMaxPayloadBytes = std::uint64_t{64} << 20U;

/// Appends one frame, compressed where that makes it smaller. payload: at most kMaxPayloadBytes.
void AppendFrame(std::string& out, FrameType type, std::string_view payload,
                 std::uint8_t version = kFrameVersion);

/// A whole frame whose check sums are right, as it is stored.
struct Frame {
  std::uint8_t type = 0;  ///< a FrameType, or one that this build does not know
  std::uint8_t version = 0;
  std::uint8_t encoding = 0;  ///< 0 plain, 1 zstd
  std::string_view stored;
};

/// The payload of a frame: within the recording's bytes, or inflated.
struct Payload {
  std::unique_ptr<char[]> inflated;
  std::string_view bytes;
};

/// False where the content is wrong, larger than kMaxPayloadBytes or beyond the budget (which then
/// is exhausted). Nothing is allocated before the budget was asked.
[[nodiscard]] bool ReadPayload(const Frame& frame, MemoryBudget& budget, Payload& payload);

/// Walks the frames of a recording, over damage.
class FrameScanner {
 public:
  /// bytes must outlive the scanner and its frames.
  FrameScanner(std::string_view bytes, std::size_t offset);

  /// The next whole frame with right check sums; false at the end. Time is linear in the bytes,
  /// whatever they are.
  [[nodiscard]] bool Next(Frame& frame);
  /// Where the frame after the last one given starts.
  [[nodiscard]] std::size_t Offset() const { return offset_; }
  /// Damaged places that were skipped so far.
  [[nodiscard]] std::uint64_t Damaged() const { return damaged_; }

 private:
  struct Header;
  [[nodiscard]] bool ReadHeader(std::size_t at, Header& header) const;
  [[nodiscard]] bool SkipToNext();

  std::string_view bytes_;
  std::size_t offset_;
  std::uint64_t damaged_ = 0;
  // A hostile file can hold a valid header at every 14th byte, each claiming all that follows:
  // checking all those sums would take quadratic time.
  std::uint64_t search_bytes_left_;
};

}  // namespace gpuwhy
