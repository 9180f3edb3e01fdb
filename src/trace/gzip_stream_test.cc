#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <isa-l/igzip_lib.h>

#include "trace/byte_stream.h"

namespace gpuwhy::trace {
namespace {

std::string Gzip(std::string text) {
  isal_zstream stream{};
  isal_deflate_init(&stream);
  std::string out(text.size() + 1024, '\0');
  stream.gzip_flag = IGZIP_GZIP;
  stream.end_of_stream = 1;
  stream.next_in = reinterpret_cast<std::uint8_t*>(text.data());
  stream.avail_in = static_cast<std::uint32_t>(text.size());
  stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
  stream.avail_out = static_cast<std::uint32_t>(out.size());
  EXPECT_EQ(isal_deflate(&stream), COMP_OK);
  out.resize(stream.total_out);
  return out;
}

std::string Noise() {
  std::string text;
  std::uint32_t x = 1;
  for (int i = 0; i < 300000; ++i) {
    x = x * 1664525U + 1013904223U;
    text += static_cast<char>('a' + (x >> 24U) % 20);
  }
  return text;
}

struct Inflated {
  std::string text;
  bool failed = false;
};

Inflated ReadAll(ByteStream& stream, std::size_t piece) {
  Inflated inflated;
  std::vector<char> buffer(piece);
  while (true) {
    Result<std::size_t> got = stream.Read(buffer);
    if (!got) {
      inflated.failed = true;
      return inflated;
    }
    if (*got == 0) return inflated;
    inflated.text.append(buffer.data(), *got);
  }
}

Inflated Inflate(const std::string& bytes, std::size_t piece = 4096) {
  return ReadAll(*MakeGzipStream(MakeMemoryStream(bytes)), piece);
}

TEST(GzipStream, InflatesInPiecesOfAnySize) {
  const std::string text = Noise();
  for (const std::size_t piece : {1UL, 7UL, 4096UL, 1UL << 20U}) {
    const Inflated inflated = Inflate(Gzip(text), piece);
    EXPECT_FALSE(inflated.failed);
    EXPECT_TRUE(inflated.text == text);
  }
}

TEST(GzipStream, ReadsAllMembersAndIgnoresTrailingZeros) {
  const Inflated inflated = Inflate(Gzip("one") + Gzip("") + Gzip("two") + std::string(1000, '\0') +
                                    Gzip("three") + std::string(70000, '\0'));
  EXPECT_FALSE(inflated.failed);
  EXPECT_EQ(inflated.text, "onetwothree");
}

TEST(GzipStream, GivesWhatIsWholeOfACutStreamAndThenSaysSo) {
  const std::string text = Noise();
  const std::string bytes = Gzip(text);
  for (std::size_t cut = 1; cut < bytes.size(); cut += bytes.size() / 37) {
    const Inflated inflated = Inflate(bytes.substr(0, cut));
    EXPECT_TRUE(inflated.failed) << cut;
    EXPECT_TRUE(inflated.text == text.substr(0, inflated.text.size())) << cut;
  }
  const Inflated no_trailer = Inflate(bytes.substr(0, bytes.size() - 8));
  EXPECT_TRUE(no_trailer.failed);
  EXPECT_TRUE(no_trailer.text == text);
}

TEST(GzipStream, RefusesDamage) {
  std::string bytes = Gzip(Noise());
  bytes[bytes.size() / 2] = static_cast<char>(~bytes[bytes.size() / 2]);
  EXPECT_TRUE(Inflate(bytes).failed);
  EXPECT_TRUE(Inflate("\x1f\x8bxxxxxxxxxxxxxxxxxxx").failed);
}

TEST(ReadAhead, GivesTheSameBytesAndTheSameError) {
  const std::string text = Noise();
  const std::string bytes = Gzip(text);
  for (const std::size_t piece : {3UL, 5000UL, 1UL << 22U}) {
    const std::unique_ptr<ByteStream> whole =
        MakeReadAhead(MakeGzipStream(MakeMemoryStream(bytes)));
    EXPECT_TRUE(ReadAll(*whole, piece).text == text);
    const std::string half = bytes.substr(0, bytes.size() / 2);
    const std::unique_ptr<ByteStream> cut = MakeReadAhead(MakeGzipStream(MakeMemoryStream(half)));
    const Inflated inflated = ReadAll(*cut, piece);
    EXPECT_TRUE(inflated.failed);
    EXPECT_TRUE(inflated.text == Inflate(half).text);
  }
}

TEST(ReadAhead, MayBeLeftInTheMiddle) {
  const std::string text = std::string(std::size_t{40} << 20U, 'x');
  const std::unique_ptr<ByteStream> stream = MakeReadAhead(MakeMemoryStream(text));
  std::vector<char> buffer(10);
  EXPECT_EQ(*stream->Read(buffer), 10U);
}

}  // namespace
}  // namespace gpuwhy::trace
