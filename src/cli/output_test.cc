#include "cli/output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace gpuwhy {
namespace {

namespace fs = std::filesystem;

class OutputFile : public ::testing::Test {
 protected:
  OutputFile() {
    std::string pattern = ::testing::TempDir() + "gpuwhy_output_XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~OutputFile() override { fs::remove_all(folder_); }

  std::string Content(const std::string& path) {
    std::ostringstream content;
    content << std::ifstream(path).rdbuf();
    return content.str();
  }
  std::size_t Files() {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}));
  }

  fs::path folder_;
};

TEST_F(OutputFile, ReplacesWhatWasThereAndLeavesNothingElse) {
  const std::string path = folder_ / "report.json";
  std::ofstream(path) << "an older and longer report";
  ASSERT_TRUE(WriteFileWhole(path, "new").ok());
  EXPECT_EQ(Content(path), "new");
  EXPECT_EQ(Files(), 1U);
}

TEST_F(OutputFile, SaysWhichFolderIsMissing) {
  const std::string path = folder_ / "no" / "report.json";
  const Status status = WriteFileWhole(path, "new");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().sys_errno, ENOENT);
  EXPECT_THAT(status.error().Text(), ::testing::HasSubstr(path));
}

TEST_F(OutputFile, IsTheSameByWhicheverPath) {
  const std::string path = folder_ / "job.gpuwhy";
  fs::create_directory(folder_ / "sub");
  const std::string roundabout = folder_ / "sub" / ".." / "job.gpuwhy";
  EXPECT_TRUE(IsSameFile(path, roundabout)) << "not there yet";
  std::ofstream(path) << "recording";
  EXPECT_TRUE(IsSameFile(path, roundabout));
  fs::create_hard_link(path, folder_ / "link");
  EXPECT_TRUE(IsSameFile(path, folder_ / "link"));
  EXPECT_FALSE(IsSameFile(path, folder_ / "other"));
  EXPECT_FALSE(IsSameFile("/dev/null", "/dev/null"));
}

TEST_F(OutputFile, KeepsTheModeOfWhatWasThere) {
  const std::string path = folder_ / "report.json";
  std::ofstream(path) << "old";
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(WriteFileWhole(path, "new").ok());
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(OutputFile, IsWrittenWhereALinkLeadsTo) {
  fs::create_directory(folder_ / "real");
  fs::create_symlink("real/there", folder_ / "link");
  fs::create_symlink("link", folder_ / "second");
  for (const char* text : {"not there yet", "again"}) {
    ASSERT_TRUE(WriteFileWhole(folder_ / "second", text).ok());
    EXPECT_TRUE(fs::is_symlink(folder_ / "second") && fs::is_symlink(folder_ / "link"));
    EXPECT_EQ(Content(folder_ / "real" / "there"), text);
  }
}

TEST_F(OutputFile, LeavesLinksThatEndNowhere) {
  fs::create_symlink("round", folder_ / "round");
  const Status status = WriteFileWhole(folder_ / "round", "new");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().sys_errno, ELOOP);
}

TEST_F(OutputFile, DoesNotWaitForAReaderOfAPipe) {
  const std::string path = folder_ / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const Status status = WriteFileWhole(path, "new");
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().Text(), ::testing::HasSubstr("nobody reads"));
}

TEST(WriteFileWhole, SaysThatTheDiskIsFull) {
  const Status status = WriteFileWhole("/dev/full", "text");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().sys_errno, ENOSPC);
}

TEST(WriteFileWhole, WritesToADeviceInPlace) {
  EXPECT_TRUE(WriteFileWhole("/dev/null", "text").ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace gpuwhy
