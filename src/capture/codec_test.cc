#include "capture/codec.h"

#include <gtest/gtest.h>

#include "capture/byte_writer.h"
#include "capture/column_writer.h"
#include "capture/frame.h"
#include "capture/interner.h"
#include "capture/recording_format.h"
#include "capture/test_captures.h"

namespace gpuwhy {
namespace {

DecodedRecording Decode(const std::string& bytes) {
  Result<DecodedRecording> decoded = DecodeRecording(bytes, "test.gpuwhy");
  EXPECT_TRUE(decoded.ok()) << (decoded.ok() ? "" : decoded.error().Text());
  return decoded.ok() ? std::move(*decoded) : DecodedRecording{};
}

void ExpectUndamaged(const DecodedRecording& r) {
  EXPECT_EQ(r.damaged_frames, 0U);
  EXPECT_EQ(r.unknown_frames, 0U);
  EXPECT_EQ(r.lost_bytes, 0U);
  EXPECT_EQ(r.dangling_ids, 0U);
}

std::string Header() { return EncodeHeader({}, {}); }

class RoundTrip : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RoundTrip, GivesTheSameCapture) {
  const Capture capture = DistinctCapture(GetParam(), 1 + GetParam() % 40);
  const DecodedRecording decoded = Decode(EncodeAll(capture, R"({"schema":"x"})"));
  EXPECT_TRUE(decoded.capture == capture);
  EXPECT_TRUE(decoded.complete);
  EXPECT_EQ(decoded.format_version, kRecordingVersion);
  EXPECT_EQ(decoded.diagnosis_json, R"({"schema":"x"})");
  ExpectUndamaged(decoded);
}
INSTANTIATE_TEST_SUITE_P(Seeds, RoundTrip, testing::Range<std::uint64_t>(0, 50));

TEST(Codec, AnEmptyPartGivesNoBytes) {
  EXPECT_EQ(EncodePart(Capture{}), "");
  Capture none;
  none.names.clear();
  none.details.clear();
  EXPECT_EQ(EncodePart(none), "");
}

TEST(Codec, AnEmptyRecordingRoundTrips) {
  const DecodedRecording decoded = Decode(EncodeAll(Capture{}, ""));
  EXPECT_TRUE(decoded.capture == Capture{});
  EXPECT_TRUE(decoded.complete);
  ExpectUndamaged(decoded);
}

TEST(Codec, LongVectorsAreSplitAndRoundTrip) {
  Capture capture = JobCapture(100, 500, 20);
  capture.names.push_back(std::string(std::size_t{9} << 20U, 'x'));
  capture.names.push_back(std::string(std::size_t{9} << 20U, 'y'));
  const DecodedRecording decoded = Decode(EncodeAll(capture, ""));
  EXPECT_TRUE(decoded.capture == capture);
  ExpectUndamaged(decoded);
}

TEST(Codec, TheEndOverridesTheRunOfTheHeader) {
  RunInfo start;
  start.started.ns = Nanos{5};
  RunInfo end = start;
  end.ended.ns = Nanos{99};
  end.ptrace_scope = 3U;
  EXPECT_TRUE(Decode(EncodeHeader(start, {}) + EncodeEnd(end, {}, "")).capture.run == end);
}

TEST(Codec, WithoutAnEndTheRunEndsWithTheLatestSample) {
  Capture part;
  part.cpu.resize(2);
  part.cpu[0].at.ns = Nanos{700};
  part.cpu[1].at.ns = Nanos{600};
  const DecodedRecording decoded = Decode(Header() + EncodePart(part));
  EXPECT_FALSE(decoded.complete);
  EXPECT_EQ(decoded.capture.run.ended.ns, Nanos{700});
}

TEST(Codec, PartsOfAnInternerKeepItsIds) {
  Interner interner;
  std::string bytes = Header();
  TableSizes held;
  std::vector<NameId> ids;
  for (int i = 0; i < 5; ++i) {
    Capture part;
    ids.push_back(interner.Intern("name " + std::to_string(i)));
    WaitDetail detail;
    detail.pid = i + 1;
    part.thread_samples.resize(1);
    part.thread_samples[0].wchan = ids.back();
    part.thread_samples[0].detail = interner.InternDetail(detail);
    part.details = interner.DetailsFrom(held.details);
    part.names = interner.NamesFrom(held.names);
    bytes += EncodePart(part, held);
    held.details += part.details.size();
    held.names += part.names.size();
  }
  const DecodedRecording decoded = Decode(bytes);
  ExpectUndamaged(decoded);
  EXPECT_EQ(decoded.capture.names, interner.NamesFrom(0));
  EXPECT_EQ(decoded.capture.details, interner.DetailsFrom(0));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const ThreadSample& sample = decoded.capture.thread_samples[i];
    EXPECT_EQ(decoded.capture.Name(sample.wchan), "name " + std::to_string(i));
    EXPECT_EQ(decoded.capture.details[sample.detail].pid, static_cast<int>(i) + 1);
  }
}

TEST(Codec, OnlyARecordingIsARecording) {
  EXPECT_TRUE(IsRecording(Header()));
  EXPECT_FALSE(IsRecording(""));
  EXPECT_FALSE(IsRecording("GPUWHY\n"));
  const Result<DecodedRecording> decoded = DecodeRecording("cpu 1 2 3", "stat");
  ASSERT_FALSE(decoded.ok());
  EXPECT_EQ(decoded.error().where, "stat");
}

TEST(Codec, ANewerFormatIsAnErrorThatSaysSo) {
  std::string bytes = Header();
  bytes[kRecordingMagic.size()] = 2;
  const Result<DecodedRecording> decoded = DecodeRecording(bytes, "f");
  ASSERT_FALSE(decoded.ok());
  EXPECT_NE(decoded.error().message.find("newer"), std::string::npos);
}

TEST(Codec, UnknownFrameTypesAreSkippedAndCounted) {
  Capture part;
  part.cpu.resize(1);
  std::string bytes = Header();
  AppendFrame(bytes, static_cast<FrameType>(200), "whatever that is", 9);
  bytes += EncodePart(part) + EncodeEnd({}, {}, "");
  const DecodedRecording decoded = Decode(bytes);
  EXPECT_EQ(decoded.unknown_frames, 1U);
  EXPECT_EQ(decoded.damaged_frames, 0U);
  EXPECT_EQ(decoded.capture.cpu.size(), 1U);
  EXPECT_TRUE(decoded.complete);
}

// Writes payloads as other versions of this program would: with fewer or more columns.
std::string Columns(std::uint64_t count, const std::vector<std::string>& columns) {
  std::string payload;
  PutVarint(payload, 0);
  PutVarint(payload, count);
  PutVarint(payload, columns.size());
  for (const std::string& column : columns) PutText(payload, column);
  return payload;
}

TEST(Codec, AnOlderFrameLeavesNewFieldsAtTheirDefaults) {
  std::string bytes = Header();
  // at and pid of two ProcessCounters; none of the readings existed yet.
  AppendFrame(bytes, FrameType::kProcessCounters,
              Columns(2, {std::string("\x02\x04"), std::string("\x0e\x00", 2)}));
  const DecodedRecording decoded = Decode(bytes);
  ExpectUndamaged(decoded);
  ASSERT_EQ(decoded.capture.process_counters.size(), 2U);
  const ProcessCounters& second = decoded.capture.process_counters[1];
  EXPECT_EQ(second.at.ns, Nanos{3});
  EXPECT_EQ(second.pid, 7);
  ASSERT_FALSE(second.resident_kib.has());
  EXPECT_EQ(second.resident_kib.missing().why, Why::kNotSampled);
}

TEST(Codec, FieldsOfANewerFrameAreIgnored) {
  std::string payload;
  PutVarint(payload, 0);
  PutVarint(payload, 1);
  DeviceNumber device;
  Capture part;
  part.regions.resize(1);
  part.regions[0] = {MonoTime{Nanos{4}}, 5, 6, 7, 8, device, 9, 0};
  ColumnWriter writer;
  writer.Record(part.regions[0]);
  writer.Value(std::string("a field of the future"));
  writer.AppendTo(payload);
  std::string bytes = Header();
  AppendFrame(bytes, FrameType::kRegions, payload + "and more bytes", kFrameVersion + 1);
  const DecodedRecording decoded = Decode(bytes);
  ExpectUndamaged(decoded);
  EXPECT_TRUE(decoded.capture.regions == part.regions);
}

TEST(Codec, AnEnumeratorOfTheFutureBecomesItsNeutralStandIn) {
  Capture part;
  part.thread_samples.resize(1);
  part.thread_samples[0].call = static_cast<Syscall>(250);
  part.thread_samples[0].tid = 12;
  ColumnWriter writer;
  writer.Record(part.thread_samples[0]);
  std::string payload("\x00\x01", 2);
  writer.AppendTo(payload);
  std::string newer = Header();
  AppendFrame(newer, FrameType::kThreadSamples, payload, kFrameVersion + 1);
  const DecodedRecording decoded = Decode(newer);
  ExpectUndamaged(decoded);
  ASSERT_EQ(decoded.capture.thread_samples.size(), 1U);
  EXPECT_EQ(decoded.capture.thread_samples[0].call, Syscall::kOther);
  EXPECT_EQ(decoded.capture.thread_samples[0].tid, 12);
  // In a frame of this very version it can only be damage.
  EXPECT_EQ(Decode(Header() + EncodePart(part)).damaged_frames, 1U);
}

TEST(Codec, IdsThatTheTablesDoNotHoldBecomeZeroAndAreCounted) {
  Capture part;
  part.thread_samples.resize(3);
  part.thread_samples[0].wchan = 7;
  part.thread_samples[1].detail = 8;
  part.details.resize(2);
  part.details[1].fds.resize(1);
  part.details[1].fds[0].target = 9;
  const DecodedRecording decoded = Decode(Header() + EncodePart(part));
  EXPECT_EQ(decoded.dangling_ids, 3U);
  EXPECT_EQ(decoded.capture.thread_samples[0].wchan, kNoName);
  EXPECT_EQ(decoded.capture.thread_samples[1].detail, 0U);
  EXPECT_EQ(decoded.capture.details[1].fds[0].target, kNoName);
}

}  // namespace
}  // namespace gpuwhy
