// Any bytes as a recording, and as the type and payload of one frame with right check sums, which
// chance would hardly ever hit. Second oracle: what was understood, written again, is the same.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "capture/codec.h"
#include "capture/frame.h"

namespace gpuwhy {
namespace {

void Check(std::string_view bytes) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20U;
  const Result<DecodedRecording> decoded = DecodeRecording(bytes, "fuzz", kMaxBytes);
  if (!decoded.ok()) return;
  const Capture& capture = decoded->capture;
  const std::string again = EncodeHeader(capture.run, capture.host) + EncodePart(capture, {1, 1}) +
                            EncodeEnd(capture.run, capture.sources, decoded->diagnosis_json);
  const Result<DecodedRecording> second = DecodeRecording(again, "again");
  if (!second.ok() || !second->complete || second->damaged_frames != 0 || second->lost_bytes != 0 ||
      second->dangling_ids != 0) {
    std::abort();
  }
  if (!(second->capture == capture) || second->diagnosis_json != decoded->diagnosis_json) {
    std::abort();
  }
}

}  // namespace
}  // namespace gpuwhy

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);  // char may alias
  gpuwhy::Check(bytes);
  if (size == 0) return 0;
  std::string framed = gpuwhy::EncodeHeader({}, {});
  gpuwhy::AppendFrame(framed, static_cast<gpuwhy::FrameType>(data[0]), bytes.substr(1));
  gpuwhy::Check(framed);
  return 0;
}
