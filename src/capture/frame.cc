#include "capture/frame.h"

#include <zstd.h>

#include "capture/byte_reader.h"
#include "capture/byte_writer.h"
#include "capture/crc32c.h"

namespace gpuwhy {
namespace {

constexpr char kMark = '\xA7';
constexpr std::uint8_t kPlain = 0;
constexpr std::uint8_t kZstd = 1;
// Below this zstd's own header eats what it saves.
constexpr std::size_t kWorthCompressing = 64;
constexpr int kLevel = 3;

std::uint16_t HeaderCheck(std::string_view header_start) {
  return static_cast<std::uint16_t>(Crc32c(header_start) & 0xFFFFU);
}

std::string Compressed(std::string_view payload) {
  std::string out(ZSTD_compressBound(payload.size()), '\0');
  const std::size_t size =
      ZSTD_compress(out.data(), out.size(), payload.data(), payload.size(), kLevel);
  out.resize(ZSTD_isError(size) != 0U ? 0 : size);
  return out;
}

}  // namespace

void AppendFrame(std::string& out, FrameType type, std::string_view payload, std::uint8_t version) {
  std::string compressed;
  if (payload.size() >= kWorthCompressing) compressed = Compressed(payload);
  const bool smaller = !compressed.empty() && compressed.size() < payload.size();
  const std::string_view stored = smaller ? std::string_view(compressed) : payload;

  std::string header(1, kMark);
  header.push_back(static_cast<char>(type));
  header.push_back(static_cast<char>(version));
  header.push_back(static_cast<char>(smaller ? kZstd : kPlain));
  PutLittleEndian(header, static_cast<std::uint32_t>(stored.size()));
  PutLittleEndian(header, Crc32c(stored));
  PutLittleEndian(header, HeaderCheck(header));
  out += header;
  out += stored;
}

bool ReadPayload(const Frame& frame, MemoryBudget& budget, Payload& payload) {
  if (frame.encoding == kPlain) {
    payload.bytes = frame.stored;
    return frame.stored.size() <= kMaxPayloadBytes && budget.Take(frame.stored.size());
  }
  if (frame.encoding != kZstd) return false;
  // The two error values of zstd are the largest numbers there are.
  const unsigned long long size =
      ZSTD_getFrameContentSize(frame.stored.data(), frame.stored.size());
  if (size > kMaxPayloadBytes || !budget.Take(size)) return false;
  // Left uninitialised: what a lying frame does not fill never becomes resident.
  payload.inflated = std::make_unique_for_overwrite<char[]>(size);
  const std::size_t got =
      ZSTD_decompress(payload.inflated.get(), size, frame.stored.data(), frame.stored.size());
  if (ZSTD_isError(got) != 0U || got != size) return false;
  payload.bytes = {payload.inflated.get(), got};
  return true;
}

struct FrameScanner::Header {
  Frame frame;  // stored: not set
  std::uint32_t length = 0;
  std::uint32_t crc = 0;
};

FrameScanner::FrameScanner(std::string_view bytes, std::size_t offset)
    : bytes_(bytes), offset_(offset), search_bytes_left_(4 * bytes.size()) {}

bool FrameScanner::ReadHeader(std::size_t at, Header& header) const {
  const std::string_view raw = bytes_.substr(at, kFrameHeaderBytes);
  if (raw.size() < kFrameHeaderBytes || raw.front() != kMark) return false;
  ByteReader reader(raw.substr(1));
  header.frame.type = reader.LittleEndian<std::uint8_t>();
  header.frame.version = reader.LittleEndian<std::uint8_t>();
  header.frame.encoding = reader.LittleEndian<std::uint8_t>();
  header.length = reader.LittleEndian<std::uint32_t>();
  header.crc = reader.LittleEndian<std::uint32_t>();
  return reader.LittleEndian<std::uint16_t>() ==
         HeaderCheck(raw.substr(0, kFrameHeaderBytes - sizeof(std::uint16_t)));
}

bool FrameScanner::Next(Frame& frame) {
  while (offset_ < bytes_.size()) {
    Header header;
    if (!ReadHeader(offset_, header)) {
      if (!SkipToNext()) return false;
      ++damaged_;
      continue;
    }
    const std::size_t start = offset_ + kFrameHeaderBytes;
    if (header.length > bytes_.size() - start) return false;  // cut
    offset_ = start + header.length;
    frame = header.frame;
    frame.stored = bytes_.substr(start, header.length);
    if (Crc32c(frame.stored) == header.crc) return true;
    ++damaged_;
  }
  return false;
}

bool FrameScanner::SkipToNext() {
  for (std::size_t at = bytes_.find(kMark, offset_ + 1); at != std::string_view::npos;
       at = bytes_.find(kMark, at + 1)) {
    Header header;
    if (!ReadHeader(at, header)) continue;
    const std::size_t start = at + kFrameHeaderBytes;
    if (header.length > bytes_.size() - start) continue;
    if (header.length > search_bytes_left_) return false;
    search_bytes_left_ -= header.length;
    if (Crc32c(bytes_.substr(start, header.length)) != header.crc) continue;
    offset_ = at;
    return true;
  }
  return false;
}

}  // namespace gpuwhy
