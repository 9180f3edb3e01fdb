#include "cli/inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

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
