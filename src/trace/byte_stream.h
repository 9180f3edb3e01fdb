// Where an importer gets its bytes from: a file, a decompressor over one, a buffer in a test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/result.h"

namespace gpuwhy::trace {

class ByteStream {
 public:
  ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;
  virtual ~ByteStream() = default;
  /// Fills the front of buffer; returns how many bytes, 0 at the end. May return less than asked
  /// before the end.
  virtual Result<std::size_t> Read(std::span<char> buffer) = 0;
};

/// Over bytes that outlive it.
[[nodiscard]] std::unique_ptr<ByteStream> MakeMemoryStream(std::string_view bytes);

/// Inflates gzip (all members, one after the other; trailing zero bytes are ignored). A stream that
/// ends in the middle gives what could be inflated and then an Error that says how far it came.
/// Owns compressed.
[[nodiscard]] std::unique_ptr<ByteStream> MakeGzipStream(std::unique_ptr<ByteStream> compressed);
[[nodiscard]] bool IsGzip(std::string_view head);

/// Reads ahead on a thread of its own, so that inflating and reading overlap with parsing. Owns
/// inner.
[[nodiscard]] std::unique_ptr<ByteStream> MakeReadAhead(std::unique_ptr<ByteStream> inner);

}  // namespace gpuwhy::trace
