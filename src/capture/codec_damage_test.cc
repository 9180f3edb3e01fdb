// Recordings that are cut, flipped, hostile, or whose writer was killed.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

#include "capture/byte_writer.h"
#include "capture/codec.h"
#include "capture/crc32c.h"
#include "capture/frame.h"
#include "capture/recording_format.h"
#include "capture/test_captures.h"

#if defined(__SANITIZE_ADDRESS__)
#define GPUWHY_UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GPUWHY_UNDER_ASAN 1
#endif
#endif
#ifndef GPUWHY_UNDER_ASAN
#define GPUWHY_UNDER_ASAN 0
#endif

namespace gpuwhy {
namespace {

std::string Header() { return EncodeHeader({}, {}); }

/// Is each vector of part the start of that of whole?
bool IsPrefix(const Capture& part, const Capture& whole) {
  std::vector<std::size_t> sizes;
  Capture cut = whole;
  ForEachSampleVector(part,
                      [&sizes](FrameType /*type*/, const auto& v) { sizes.push_back(v.size()); });
  bool longer =
      part.names.size() > whole.names.size() || part.details.size() > whole.details.size();
  std::size_t i = 0;
  ForEachSampleVector(cut, [&](FrameType /*type*/, auto& v) {
    longer = longer || sizes[i] > v.size();
    if (!longer) v.resize(sizes[i]);
    ++i;
  });
  if (longer) return false;
  cut.names.resize(part.names.size());
  cut.details.resize(part.details.size());
  cut.sources = part.sources;
  cut.run = part.run;
  return cut == part;
}

TEST(RecordingCutAnywhere, GivesAPrefixAndSaysWhatIsLost) {
  const Capture capture = DistinctCapture(3, 2);
  const std::string header = EncodeHeader(capture.run, capture.host);
  const std::string whole = EncodeAll(capture, "{}");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);
    const Result<DecodedRecording> decoded = DecodeRecording(cut, "cut");
    ASSERT_EQ(decoded.ok(), size >= header.size()) << size;
    if (!decoded.ok()) continue;
    EXPECT_FALSE(decoded->complete) << size;
    EXPECT_EQ(decoded->damaged_frames, 0U) << size;
    EXPECT_TRUE(IsPrefix(decoded->capture, capture)) << size;
    // Whole frames plus what is lost make up the file.
    const std::string used = cut.substr(0, size - decoded->lost_bytes);
    const Result<DecodedRecording> again = DecodeRecording(used, "used");
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->lost_bytes, 0U) << size;
    EXPECT_TRUE(again->capture == decoded->capture) << size;
  }
}

TEST(RecordingWithAFlippedByte, IsReadButForThatFrameAndSaysSo) {
  const Capture capture = DistinctCapture(4, 5);
  const std::size_t header = EncodeHeader(capture.run, capture.host).size();
  const std::string whole = EncodeAll(capture, "{}");
  std::mt19937_64 random(11);
  for (int i = 0; i < 5000; ++i) {
    std::string flipped = whole;
    const std::size_t at = random() % flipped.size();
    const auto mask = static_cast<unsigned char>(1 + random() % 255);
    flipped[at] = static_cast<char>(static_cast<unsigned char>(flipped[at]) ^ mask);
    const Result<DecodedRecording> decoded = DecodeRecording(flipped, "flipped");
    if (!decoded.ok()) {
      EXPECT_LT(at, header);
      continue;
    }
    EXPECT_GE(at, header);
    // A damaged header of the last frame can't be told from a cut.
    EXPECT_TRUE(decoded->damaged_frames == 1 || decoded->lost_bytes > 0) << at;
    EXPECT_EQ(decoded->unknown_frames, 0U) << at;
    std::size_t missing = 0;
    ForEachSampleVector(decoded->capture, [&](FrameType /*type*/, const auto& v) {
      missing += v.size() == 5 ? 0U : 1U;
    });
    EXPECT_LE(missing, 1U) << at;
  }
}

TEST(RecordingThatLostANamesFrame, KeepsLaterIds) {
  Capture one, two, three;
  one.names = {"", "a", "b"};
  two.names = {"c", "d"};
  three.names = {"e"};
  three.psi.resize(2);
  three.psi[0].cgroup = 5;
  three.psi[1].cgroup = 4;
  std::string middle = EncodePart(two, {3, 1});
  middle.back() = static_cast<char>(middle.back() ^ 1);
  const Result<DecodedRecording> told =
      DecodeRecording(Header() + EncodePart(one) + middle + EncodePart(three, {5, 1}), "told");
  ASSERT_TRUE(told.ok());
  EXPECT_EQ(told->damaged_frames, 1U);
  EXPECT_EQ(told->capture.Name(told->capture.psi[0].cgroup), "e");
  EXPECT_EQ(told->capture.Name(told->capture.psi[1].cgroup), "");
  // Not told where they start, the names after the damage are dropped rather than guessed.
  const Result<DecodedRecording> not_told =
      DecodeRecording(Header() + EncodePart(one) + middle + EncodePart(three), "not told");
  ASSERT_TRUE(not_told.ok());
  EXPECT_EQ(not_told->damaged_frames, 2U);
  EXPECT_EQ(not_told->dangling_ids, 2U);
  EXPECT_EQ(not_told->capture.names.size(), 3U);
}

TEST(RecordingOfManyHeadersThatClaimTheRest, TakesLinearTime) {
  // 40,000 valid headers, each followed by less than it claims or by a wrong sum: checking every
  // sum would read 5.6 GB. A wrong bound shows as a test that does not end.
  std::string bytes = Header() + "junk";
  const std::size_t size = 40'000 * kFrameHeaderBytes;
  for (std::size_t at = 0; at < size; at += kFrameHeaderBytes) {
    std::string header("\xA7\x06\x01\x00", 4);
    PutLittleEndian(header, static_cast<std::uint32_t>(size - at - kFrameHeaderBytes));
    PutLittleEndian(header, std::uint32_t{0});
    PutLittleEndian(header, static_cast<std::uint16_t>(Crc32c(header) & 0xFFFFU));
    bytes += header;
  }
  const Result<DecodedRecording> decoded = DecodeRecording(bytes, "headers");
  ASSERT_TRUE(decoded.ok());
  EXPECT_GE(decoded->lost_bytes, size);
}

TEST(RecordingWithALyingLength, DoesNotAllocateForIt) {
  const std::uint64_t huge = std::uint64_t{1} << 40U;
  std::string count("\x00", 1);  // first
  PutVarint(count, huge);
  count += std::string("\x01\x03\x02\x02\x02", 5);  // one column of three bytes
  std::string columns("\x00\x01", 2);
  PutVarint(columns, huge);
  std::string list("\x00\x01\x03\x01\x02", 5);  // details: one record, pid
  PutText(list, std::string("\xFF\xFF\xFF\xFF\xFF\x3F", 6));
  PutText(list, std::string("\x01\x01\x02", 3));
  for (const std::string& payload : {count, columns, list}) {
    for (const FrameType type : {FrameType::kDetails, FrameType::kThreadSamples}) {
      std::string bytes = Header();
      AppendFrame(bytes, type, payload);
      const Result<DecodedRecording> decoded = DecodeRecording(bytes, "lie");
      ASSERT_TRUE(decoded.ok());
      EXPECT_TRUE(decoded->capture.thread_samples.empty());
      EXPECT_EQ(decoded->capture.details.size(), 1U);
      EXPECT_EQ(decoded->damaged_frames, 1U);
    }
  }
}

std::string FrameOfStored(FrameType type, std::string_view stored) {
  std::string frame("\xA7\x00\x01\x01", 4);
  frame[1] = static_cast<char>(type);
  PutLittleEndian(frame, static_cast<std::uint32_t>(stored.size()));
  PutLittleEndian(frame, Crc32c(stored));
  PutLittleEndian(frame, static_cast<std::uint16_t>(Crc32c(frame) & 0xFFFFU));
  return frame.append(stored);
}

std::string Zeros(std::size_t size) {
  const std::string zeros(size, '\0');
  std::string out(ZSTD_compressBound(size), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), zeros.data(), zeros.size(), 1));
  return out;
}

/// A zstd frame header that claims 1 TiB of content, with a block of nothing.
std::string ClaimsTebibyte() {
  return {"\x28\xB5\x2F\xFD\xE0\x00\x00\x00\x00\x00\x01\x00\x00\x01\x00\x00", 16};
}

/// How many KiB the peak memory of a fresh process grows by when it decodes bytes.
long PeakGrowthKib(const std::string& bytes, std::uint64_t max_bytes) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    rusage before{};
    rusage after{};
    getrusage(RUSAGE_SELF, &before);
    const bool ok = DecodeRecording(bytes, "bomb", max_bytes).ok();
    getrusage(RUSAGE_SELF, &after);
    const long grown = ok ? after.ru_maxrss - before.ru_maxrss : -1;
    const bool written = write(pipe_ends[1], &grown, sizeof grown) == sizeof grown;
    _exit(written ? 0 : 1);
  }
  close(pipe_ends[1]);
  long grown = -1;
  if (read(pipe_ends[0], &grown, sizeof grown) != sizeof grown) grown = -1;
  close(pipe_ends[0]);
  waitpid(child, nullptr, 0);
  return grown;
}

TEST(RecordingWithABomb, CountsItAsDamageWithinItsMemory) {
  const std::string huge = FrameOfStored(FrameType::kCpu, ClaimsTebibyte());
  const std::string large = FrameOfStored(FrameType::kCpu, Zeros((std::size_t{64} << 20U) + 1));
  const std::string bytes = Header() + huge + large + EncodeEnd({}, {}, "");
  const Result<DecodedRecording> decoded = DecodeRecording(bytes, "bomb");
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->damaged_frames, 2U);
  EXPECT_TRUE(decoded->complete);
  if (GPUWHY_UNDER_ASAN != 0) GTEST_SKIP() << "peak memory is the sanitizer's here";
  const long grown = PeakGrowthKib(bytes, std::uint64_t{2} << 30U);
  EXPECT_GE(grown, 0);
  EXPECT_LT(grown, 8 * 1024);
}

TEST(RecordingWithABomb, StopsAtMaxBytesInTotal) {
  std::string bytes = Header();
  const std::string frame = FrameOfStored(FrameType::kCpu, Zeros(std::size_t{30} << 20U));
  for (int i = 0; i < 20; ++i) bytes += frame;
  const std::uint64_t max_bytes = std::uint64_t{64} << 20U;
  const Result<DecodedRecording> decoded = DecodeRecording(bytes, "bombs", max_bytes);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->lost_bytes, 18 * frame.size());
  if (GPUWHY_UNDER_ASAN != 0) GTEST_SKIP() << "peak memory is the sanitizer's here";
  const long grown = PeakGrowthKib(bytes, max_bytes);
  EXPECT_GE(grown, 0);
  EXPECT_LT(grown, 70 * 1024);
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Capture NumberedPart(std::int32_t number) {
  Capture part;
  part.thread_samples.resize(20);
  for (ThreadSample& sample : part.thread_samples) sample.tid = number;
  return part;
}

TEST(RecordingOfAKilledWriter, HoldsEveryPartButTheLast) {
  const std::string path = testing::TempDir() + "/killed_" + std::to_string(getpid());
  std::mt19937 random(5);
  for (int round = 0; round < 10; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      std::FILE* file = std::fopen(path.c_str(), "wb");
      if (file == nullptr) _exit(1);
      std::string bytes = Header();
      for (std::int32_t number = 0;; ++number) {
        if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) _exit(1);
        if (std::fflush(file) != 0) _exit(1);
        bytes = EncodePart(NumberedPart(number));
      }
    }
    ASSERT_GT(child, 0);
    while (ReadFile(path).size() <= Header().size()) usleep(500);
    usleep(static_cast<useconds_t>(random() % 20'000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);

    const std::string bytes = ReadFile(path);
    const Result<DecodedRecording> decoded = DecodeRecording(bytes, path);
    ASSERT_TRUE(decoded.ok());
    EXPECT_FALSE(decoded->complete);
    EXPECT_EQ(decoded->damaged_frames, 0U);
    const std::vector<ThreadSample>& samples = decoded->capture.thread_samples;
    ASSERT_FALSE(samples.empty());
    ASSERT_EQ(samples.size() % 20, 0U);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      ASSERT_EQ(samples[i].tid, static_cast<std::int32_t>(i / 20));
    }
    EXPECT_LT(decoded->lost_bytes, EncodePart(NumberedPart(1'000'000)).size());
    std::remove(path.c_str());
  }
}

TEST(Crc32c, MatchesThePublishedVectors) {
  EXPECT_EQ(Crc32c(""), 0U);
  EXPECT_EQ(Crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(Crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
}

}  // namespace
}  // namespace gpuwhy
