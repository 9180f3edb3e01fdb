// What a damaged XPlane file gives: what is whole of it, and where it is not; never more than it
// holds.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "trace/analysis.h"
#include "trace/importers/test_xplane.h"
#include "trace/importers/xplane.h"

namespace gpuwhy::trace {
namespace {

Result<Timeline> Import(const std::string& bytes) {
  return ImportXplane(*MakeMemoryStream(bytes), "a.xplane.pb");
}

bool Says(const Timeline& timeline, const std::string& words) {
  return std::any_of(
      timeline.problems.begin(), timeline.problems.end(),
      [&](const std::string& problem) { return problem.find(words) != std::string::npos; });
}

// A byte that says a length can make at most so many events of a file of that size: four bytes
// each.
void ExpectBounded(const Timeline& timeline, std::size_t size) {
  EXPECT_LE(timeline.device.size() + timeline.host.size(), size / 4);
  EXPECT_LE(timeline.threads.size() + timeline.lanes.size(), size / 4);
}

TEST(XplaneDamage, ACutSaysAtWhichByte) {
  const std::string all = Space();
  const std::size_t first = Field(1, DevicePlane()).size();
  for (std::size_t size = 0; size < all.size(); ++size) {
    const Result<Timeline> timeline = Import(all.substr(0, size));
    if (size < first) {
      ASSERT_FALSE(timeline.ok()) << size;
      EXPECT_EQ(timeline.error().where, "a.xplane.pb@0") << "no plane is whole";
    } else if (size > first) {
      ASSERT_TRUE(timeline.ok()) << size;
      EXPECT_TRUE(Says(*timeline, "at byte " + std::to_string(first))) << size;
    }
  }
}

TEST(XplaneDamage, ACutPlaneInAWholeFileIsUsedUpToThereAndSaysWhere) {
  const std::string plane = DevicePlane();
  for (std::size_t size = 1; size < plane.size(); ++size) {
    const std::string bytes = Field(1, HostPlane()) + Field(1, plane.substr(0, size));
    const Result<Timeline> timeline = Import(bytes);
    ASSERT_TRUE(timeline.ok()) << size;
    ExpectBounded(*timeline, bytes.size());
    if (!timeline->lost.contains("malformed")) continue;  // cut between two fields
    EXPECT_TRUE(Says(*timeline, "the first at byte")) << size;
  }
}

TEST(XplaneDamage, NoFlippedByteDoesHarm) {
  const std::string all = Space();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const int flip : {0x01, 0x08, 0x80}) {
      std::string bytes = all;
      bytes[i] = static_cast<char>(static_cast<unsigned char>(bytes[i]) ^ flip);
      Result<Timeline> timeline = Import(bytes);
      if (!timeline) {
        EXPECT_NE(timeline.error().where.find("a.xplane.pb@"), std::string::npos);
        continue;
      }
      ExpectBounded(*timeline, bytes.size());
      const Analysis analysis = Analyze(*std::move(timeline), 0);
      EXPECT_LE(analysis.report.whole.figures.busy_ns, analysis.report.whole.figures.span_ns);
    }
  }
}

TEST(XplaneDamage, LengthsBeyondTheFileAreNoAllocations) {
  for (const std::uint64_t length : {std::uint64_t{0x7fffffff}, std::uint64_t{0xffffffff},
                                     std::uint64_t{1} << 32U, ~std::uint64_t{0}}) {
    const std::string bytes = Field(1, DevicePlane()) + "\x0a" + Number(length) + "\x12\x05/host";
    const Result<Timeline> timeline = Import(bytes);
    ASSERT_TRUE(timeline.ok());
    EXPECT_EQ(timeline->device.size(), 4U);
    EXPECT_TRUE(Says(*timeline, "at byte " + std::to_string(Field(1, DevicePlane()).size())));
    const Result<Timeline> alone = Import("\x0a" + Number(length) + "\x12\x05/host");
    ASSERT_FALSE(alone.ok());
    EXPECT_EQ(alone.error().where, "a.xplane.pb@0");
  }
}

TEST(XplaneDamage, WhatSaysNothingIsNotKeptHoweverOftenItComes) {
  constexpr std::size_t kMany = 100'000;
  std::string events;
  std::string lines;
  for (std::size_t i = 0; i < kMany; ++i) events += std::string("\x22\x00", 2);
  for (std::size_t i = 0; i < kMany; ++i) lines += std::string("\x1a\x00", 2);
  const std::string stream = Field(3, Field(2, std::string("Stream #1(Compute)")) + events);
  const std::string bytes = Field(1, Field(2, std::string("/device:GPU:0")) + stream) +
                            Field(1, Field(2, std::string("/host:CPU")) + lines);
  const Result<Timeline> timeline = Import(bytes);
  ASSERT_TRUE(timeline.ok());
  EXPECT_EQ(timeline->device.size(), 0U);
  EXPECT_EQ(timeline->threads.size(), 0U);
  EXPECT_EQ(timeline->lost.at("malformed"), kMany);
}

TEST(XplaneDamage, AReadErrorIsSaidWhereItFallsBetweenTwoPlanes) {
  class Failing final : public ByteStream {
   public:
    explicit Failing(std::string bytes) : bytes_(std::move(bytes)) {}
    Result<std::size_t> Read(std::span<char> buffer) override {
      if (bytes_.empty()) return Error{"the disk is gone", {}, 5};
      const std::size_t n = std::min(buffer.size(), bytes_.size());
      std::copy_n(bytes_.begin(), n, buffer.begin());
      bytes_.erase(0, n);
      return n;
    }

   private:
    std::string bytes_;
  };
  Failing stream(Field(1, DevicePlane()));
  const Result<Timeline> timeline = ImportXplane(stream, "a");
  ASSERT_TRUE(timeline.ok());
  EXPECT_TRUE(Says(*timeline, "the disk is gone"));
  EXPECT_TRUE(timeline->lost.contains("truncated"));
}

}  // namespace
}  // namespace gpuwhy::trace
