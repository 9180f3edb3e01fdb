#include "os/append_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "os/fake_append_file.h"

namespace gpuwhy {
namespace {

std::string TempPath() { return testing::TempDir() + "/append_file_" + std::to_string(getpid()); }

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(RealAppendFile, ReplacesWhatWasThereAndAppends) {
  const std::string path = TempPath();
  std::ofstream(path) << "what was there before, and longer";
  Result<std::unique_ptr<AppendFile>> file = CreateAppendFile(path);
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE((*file)->Append("one ").ok());
  EXPECT_TRUE((*file)->Append("").ok());
  EXPECT_TRUE((*file)->Append("two").ok());
  EXPECT_EQ(ReadFile(path), "one two");  // before Close(): a killed process leaves it
  EXPECT_TRUE((*file)->Close().ok());
  EXPECT_EQ((*file)->Append("three").error().sys_errno, EBADF);
  EXPECT_EQ(ReadFile(path), "one two");
  std::remove(path.c_str());
}

TEST(RealAppendFile, LeavesAFileAloneThatAnotherIsWriting) {
  const std::string path = TempPath();
  Result<std::unique_ptr<AppendFile>> first = CreateAppendFile(path);
  ASSERT_TRUE(first.ok());
  EXPECT_TRUE((*first)->Append("first").ok());
  const Result<std::unique_ptr<AppendFile>> second = CreateAppendFile(path);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().Text(), path + ": another process is recording into this file");
  EXPECT_EQ(ReadFile(path), "first");
  EXPECT_TRUE((*first)->Close().ok());
  EXPECT_TRUE(CreateAppendFile(path).ok());
  std::remove(path.c_str());
}

TEST(RealAppendFile, DoesNotWaitForAReaderOfAFifo) {
  const std::string path = TempPath();
  std::remove(path.c_str());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const Result<std::unique_ptr<AppendFile>> file = CreateAppendFile(path);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().sys_errno, ENXIO);
  std::remove(path.c_str());
}

TEST(RealAppendFile, IsForItsOwnerAlone) {
  const std::string path = TempPath();
  std::remove(path.c_str());
  ASSERT_TRUE(CreateAppendFile(path).ok());
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  std::remove(path.c_str());
}

TEST(RealAppendFile, SaysWhichPathAndWhyItCannotBeCreated) {
  const std::string path = testing::TempDir() + "/no such folder/file";
  const Result<std::unique_ptr<AppendFile>> file = CreateAppendFile(path);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().where, path);
  EXPECT_EQ(file.error().sys_errno, ENOENT);
}

TEST(RealAppendFile, SaysThatTheDiskIsFull) {
  Result<std::unique_ptr<AppendFile>> file = CreateAppendFile("/dev/full");
  if (!file.ok()) GTEST_SKIP() << "no /dev/full on this host: " << file.error().Text();
  const Status appended = (*file)->Append("x");
  ASSERT_FALSE(appended.ok());
  EXPECT_EQ(appended.error().sys_errno, ENOSPC);
  EXPECT_EQ(appended.error().where, "/dev/full");
}

TEST(RealAppendFile, WritesAllThroughAPipeThatTakesLittleAtATime) {
  const std::string path = TempPath() + ".fifo";
  std::remove(path.c_str());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  // There is a reader from the start: without one it would be refused.
  const int both_ends = open(path.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(both_ends, 0);
  std::string got;
  std::thread reader([&got, &path] { got = ReadFile(path); });
  Result<std::unique_ptr<AppendFile>> file = CreateAppendFile(path);
  const std::string sent(std::size_t{1} << 20U, 'x');
  const bool appended = file.ok() && (*file)->Append(sent).ok();
  const bool closed = file.ok() && (*file)->Close().ok();  // fsync does not work here: no error
  close(both_ends);  // the last writer: the reader gets its end of file
  reader.join();
  EXPECT_TRUE(appended);
  EXPECT_TRUE(closed);
  EXPECT_TRUE(got == sent);
  std::remove(path.c_str());
}

TEST(FakeAppendFile, KeepsWhatFits) {
  FakeAppendFile file(5);
  EXPECT_TRUE(file.Append("abc").ok());
  EXPECT_EQ(file.Append("defg").error().sys_errno, ENOSPC);
  EXPECT_EQ(file.Bytes(), "abcde");
}

}  // namespace
}  // namespace gpuwhy
