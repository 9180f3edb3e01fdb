#include "cli/inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <thread>

namespace gpuwhy {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class InputsTest : public ::testing::Test {
 protected:
  InputsTest() {
    std::string pattern = ::testing::TempDir() + "gpuwhy_inputs_XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~InputsTest() override { fs::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  static std::string Recording() { return EncodeHeader({}, {}) + EncodeEnd({}, {}, "{}"); }

  fs::path folder_;
};

TEST_F(InputsTest, RecognisesARecordingByItsContent) {
  const Inputs inputs = ReadInputs({Write("named.txt", Recording())});
  ASSERT_TRUE(inputs.recording.has_value());
  ASSERT_EQ(inputs.reports.size(), 1U);
  EXPECT_EQ(inputs.reports[0].recognised_as, "recording");
  EXPECT_TRUE(inputs.reports[0].used);
  EXPECT_THAT(inputs.reports[0].problems, ElementsAre());
}

TEST_F(InputsTest, ListsWhatItDoesNotRecognise) {
  const Inputs inputs = ReadInputs({Write("notes.gpuwhy", "dear diary")});
  EXPECT_FALSE(inputs.recording.has_value());
  ASSERT_EQ(inputs.reports.size(), 1U);
  EXPECT_EQ(inputs.reports[0].recognised_as, "");
  EXPECT_FALSE(inputs.reports[0].used);
}

constexpr const char* kTrace = R"({"traceEvents": [
 {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 2,
  "args": {"device": 0, "stream": 7}}]})";

TEST_F(InputsTest, RecognisesATraceByItsContent) {
  Inputs inputs = ReadInputs({Write("notes.txt", kTrace), Write("b.log", "dear diary")});
  EXPECT_EQ(inputs.reports[0].recognised_as, "trace");
  EXPECT_TRUE(inputs.reports[0].used);
  EXPECT_FALSE(inputs.reports[1].used);
  ASSERT_FALSE(inputs.traces.Empty());
  const trace::TraceReport report = inputs.traces.Finish();
  ASSERT_EQ(report.files.size(), 1U);
  EXPECT_EQ(report.files[0].gpu_events, 1U);
}

TEST_F(InputsTest, SaysOfATraceWhatIsWrongWithIt) {
  const std::string cut = std::string(kTrace).substr(0, std::string(kTrace).size() - 2);
  const Inputs inputs = ReadInputs({Write("cut.json", cut + R"(, {"ph": "X", "ca)")});
  EXPECT_TRUE(inputs.reports[0].used);
  EXPECT_FALSE(inputs.reports[0].problems.empty());
}

TEST_F(InputsTest, ReadsATraceThroughAPipe) {
  const std::string path = folder_ / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  // Longer than what is looked at first.
  const std::string blanks(100'000, ' ');
  std::thread writer([&] { std::ofstream(path) << kTrace << blanks; });
  Inputs inputs = ReadInputs({path});
  writer.join();
  EXPECT_TRUE(inputs.reports[0].used);
  EXPECT_EQ(inputs.traces.Finish().files.at(0).gpu_events, 1U);
}

TEST_F(InputsTest, UsesAFileOnce) {
  const std::string path = Write("a.json", kTrace);
  fs::create_hard_link(path, folder_ / "b.json");
  Inputs inputs = ReadInputs({path, folder_ / "b.json"});
  EXPECT_FALSE(inputs.reports[1].used);
  EXPECT_THAT(inputs.reports[1].problems, ElementsAre(HasSubstr("same file as")));
  EXPECT_EQ(inputs.traces.Finish().files.size(), 1U);
}

TEST_F(InputsTest, SaysThatATextIsTooLarge) {
  // Only its beginning is text: the rest is a hole that takes no space.
  const std::string path = Write("big.log", std::string(65'536, 'a'));
  fs::resize_file(path, (std::size_t{256} << 20U) + 1);
  const Inputs inputs = ReadInputs({path});
  ASSERT_EQ(inputs.errors.size(), 1U);
  EXPECT_THAT(inputs.errors[0].Text(), HasSubstr("larger than 256 MiB"));
  EXPECT_EQ(inputs.reports[0].problems.size(), 1U);
}

TEST_F(InputsTest, JsonThatIsNoTraceIsNotRecognised) {
  const Inputs inputs = ReadInputs({Write("a.json", R"({"answer": [42]})")});
  EXPECT_TRUE(inputs.traces.Empty());
  EXPECT_EQ(inputs.reports[0].recognised_as, "");
  EXPECT_THAT(inputs.reports[0].problems, ElementsAre());
}

TEST_F(InputsTest, SaysWhyACompressedFileIsNoTrace) {
  const Inputs inputs = ReadInputs({Write("a.gz", "\x1f\x8b broken")});
  EXPECT_TRUE(inputs.traces.Empty());
  EXPECT_EQ(inputs.errors.size(), 1U);
  EXPECT_FALSE(inputs.reports[0].problems.empty());
}

TEST_F(InputsTest, SaysWhyAFileCannotBeRead) {
  const Inputs inputs = ReadInputs({folder_ / "absent"});
  ASSERT_EQ(inputs.errors.size(), 1U);
  EXPECT_EQ(inputs.errors[0].sys_errno, ENOENT);
  EXPECT_THAT(inputs.errors[0].Text(), HasSubstr("absent"));
}

TEST_F(InputsTest, ReadsAFolderInOrderAndFollowsNoLinks) {
  Write("b", "b");
  Write("a", "a");
  fs::create_directory_symlink(folder_, folder_ / "loop");
  fs::create_symlink(folder_ / "a", folder_ / "link");
  fs::create_directory(folder_ / "sub");
  const Inputs inputs = ReadInputs({folder_});
  ASSERT_EQ(inputs.reports.size(), 2U);
  EXPECT_EQ(inputs.reports[0].name, folder_ / "a");
  EXPECT_EQ(inputs.reports[1].name, folder_ / "b");
}

TEST_F(InputsTest, UsesTheFirstOfSeveralRecordings) {
  const Inputs inputs = ReadInputs({Write("1", Recording()), Write("2", Recording())});
  ASSERT_EQ(inputs.reports.size(), 2U);
  EXPECT_TRUE(inputs.reports[0].used);
  EXPECT_FALSE(inputs.reports[1].used);
  EXPECT_THAT(inputs.reports[1].problems, ElementsAre(HasSubstr("one recording")));
}

TEST_F(InputsTest, SaysThatARecordingWasCut) {
  const Inputs inputs = ReadInputs({Write("cut", EncodeHeader({}, {}) + "rest")});
  ASSERT_TRUE(inputs.recording.has_value());
  EXPECT_THAT(inputs.reports[0].problems,
              ElementsAre(HasSubstr("has no end"), HasSubstr("4 bytes")));
}

}  // namespace
}  // namespace gpuwhy
