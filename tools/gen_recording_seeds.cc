// gen_recording_seeds FOLDER: writes the seeds of fuzz_recording. They are committed: a change of
// the format shows in them, and old ones stay readable.
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

#include "capture/frame.h"
#include "capture/test_captures.h"

namespace {

bool Write(const std::string& folder, const std::string& name, std::string_view bytes) {
  std::ofstream file(folder + "/" + name, std::ios::binary | std::ios::trunc);
  file << bytes;
  return static_cast<bool>(file.flush());
}

/// Type byte and payload of every frame after the header.
bool WritePayloads(const std::string& folder, std::string_view recording, std::size_t header) {
  gpuwhy::FrameScanner scanner(recording, header);
  gpuwhy::MemoryBudget budget(gpuwhy::kMaxPayloadBytes);
  gpuwhy::Frame frame;
  bool ok = true;
  while (ok && scanner.Next(frame)) {
    gpuwhy::Payload payload;
    ok = ReadPayload(frame, budget, payload) &&
         Write(folder, "payload_" + std::to_string(frame.type),
               std::string(1, static_cast<char>(frame.type)).append(payload.bytes));
  }
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace gpuwhy;  // NOLINT(google-build-using-namespace): a tool of one function
  if (argc != 2) {
    std::fputs("usage: gen_recording_seeds FOLDER\n", stderr);
    return 2;
  }
  const std::string folder = argv[1];
  const Capture capture = DistinctCapture(1, 2);
  const std::string header = EncodeHeader(capture.run, capture.host);
  const std::string whole = EncodeAll(capture, "{}");
  std::string corrupted = whole;
  for (std::size_t at = header.size(); at < corrupted.size(); at += 149) corrupted[at] ^= 0x10;
  std::string unknown = header;
  AppendFrame(unknown, static_cast<FrameType>(77), "from the future", 3);
  const Capture job = JobCapture(12, 10, 20);

  const bool ok = Write(folder, "whole", whole) && Write(folder, "header", header) &&
                  Write(folder, "empty", EncodeAll(Capture{}, "")) &&
                  Write(folder, "cut", whole.substr(0, whole.size() * 2 / 3)) &&
                  Write(folder, "corrupted", corrupted) &&
                  Write(folder, "unknown_frame", unknown + EncodePart(capture)) &&
                  Write(folder, "job", EncodeAll(job, "")) &&
                  Write(folder, "lost_names", header + EncodePart(capture, {9, 4})) &&
                  Write(folder, "text", "not a recording\n") &&
                  WritePayloads(folder, whole, header.size());
  return ok ? 0 : 1;
}
