// Any bytes as a recording. Second oracle: what was understood, written again, is the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "capture/codec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuwhy;  // NOLINT(google-build-using-namespace): one function, one namespace
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);  // char may alias
  constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20U;
  const Result<DecodedRecording> decoded = DecodeRecording(bytes, "fuzz", kMaxBytes);
  if (!decoded.ok()) return 0;
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
  return 0;
}
