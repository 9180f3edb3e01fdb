#include "cli/recording_writer.h"

#include <gtest/gtest.h>

#include "os/fake_append_file.h"

namespace gpuwhy {
namespace {

// The writer owns its file; the test looks at the bytes through this.
struct Recorded {
  explicit Recorded(std::size_t capacity = 1U << 20U) {
    auto owned = std::make_unique<FakeAppendFile>(capacity);
    file = owned.get();
    writer = std::make_unique<RecordingWriter>(std::move(owned));
  }
  FakeAppendFile* file;
  std::unique_ptr<RecordingWriter> writer;
};

ProcessSeen Seen(Interner& names, std::int32_t pid, const char* command) {
  ProcessSeen process;
  process.pid = pid;
  process.command = names.Intern(command);
  return process;
}

TEST(RecordingWriter, WritesEachNameOnceAndAllOfThem) {
  Recorded recorded;
  Interner names;
  Capture whole;
  whole.run.ended = MonoTime{std::chrono::seconds(3)};
  recorded.writer->Begin(whole.run, whole.host);
  for (const char* command : {"python3", "java", "python3"}) {
    Capture part;
    part.processes.push_back(Seen(names, 1, command));
    recorded.writer->Add(part, names);
    AppendSamples(whole, std::move(part));
  }
  whole.names = names.NamesFrom(0);
  whole.details = names.DetailsFrom(0);
  ASSERT_TRUE(recorded.writer->Finish(whole, "{}").ok());
  EXPECT_TRUE(recorded.file->Closed());
  const Result<DecodedRecording> decoded = DecodeRecording(recorded.file->Bytes(), "test");
  ASSERT_TRUE(decoded.ok());
  EXPECT_TRUE(decoded->complete);
  EXPECT_EQ(decoded->diagnosis_json, "{}");
  EXPECT_TRUE(decoded->capture == whole);
}

TEST(RecordingWriter, WhatWasSeenIsThereWithoutAnEnd) {
  Recorded recorded;
  Interner names;
  recorded.writer->Begin({}, {});
  Capture part;
  part.processes.push_back(Seen(names, 7, "python3"));
  recorded.writer->Add(part, names);
  const Result<DecodedRecording> decoded = DecodeRecording(recorded.file->Bytes(), "test");
  ASSERT_TRUE(decoded.ok());
  EXPECT_FALSE(decoded->complete);
  ASSERT_EQ(decoded->capture.processes.size(), 1U);
  EXPECT_EQ(decoded->capture.Name(decoded->capture.processes[0].command), "python3");
}

TEST(RecordingWriter, AFullDiskIsSaidAtTheEndAndNothingIsWrittenAfterIt) {
  Recorded recorded(10);
  Interner names;
  recorded.writer->Begin({}, {});
  EXPECT_TRUE(recorded.writer->Failed());
  const Status status = recorded.writer->Finish({}, "");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().sys_errno, ENOSPC);
  EXPECT_EQ(recorded.file->Bytes().size(), 10U);
}

}  // namespace
}  // namespace gpuwhy
