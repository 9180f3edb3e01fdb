#include "os/fake_file_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cerrno>

namespace gpuwhy {
namespace {

using testing::ElementsAre;

TEST(FakeFileTree, ListsFilesLinksFailuresAndFoldersBelow) {
  FakeFileTree fake;
  FileTree& files = fake;
  fake.Set("/proc/1/task/1/stat", "");
  fake.Set("/proc/uptime", "");
  fake.SetLink("/proc/self", "1");
  fake.Fail("/proc/2", EACCES);
  EXPECT_THAT(*files.List("/proc"), ElementsAre("1", "2", "self", "uptime"));
  EXPECT_EQ(files.List("/proc/2").error().sys_errno, EACCES);
  EXPECT_EQ(files.List("/pro").error().sys_errno, ENOENT);
}

TEST(FakeFileTree, OpenFilesReadTheContentOfTheMoment) {
  FakeFileTree fake;
  fake.Set("/proc/7/stat", "old");
  const Result<std::unique_ptr<OpenFile>> file = fake.Open("/proc/7/stat");
  ASSERT_TRUE(file.ok());
  std::array<char, 2> buffer{};
  fake.Set("/proc/7/stat", "new");
  EXPECT_EQ(*(*file)->Read(buffer), 2U);
  EXPECT_EQ(buffer, (std::array<char, 2>{'n', 'e'}));
  fake.Remove("/proc/7");
  EXPECT_EQ((*file)->Read(buffer).error().sys_errno, ESRCH);
  EXPECT_EQ(fake.Reads("/proc/7/stat"), 2U);
  EXPECT_EQ(fake.Open("/proc/7/stat").error().sys_errno, ENOENT);
}

TEST(FakeFileTree, FailsAsScripted) {
  FakeFileTree fake;
  FileTree& files = fake;
  fake.Set("/a", "text");
  EXPECT_EQ(files.Read("/a", 3).error().sys_errno, EFBIG);
  EXPECT_EQ(files.ReadLink("/a").error().sys_errno, EINVAL);
  fake.Fail("/a", EACCES);
  EXPECT_EQ(files.Read("/a").error().sys_errno, EACCES);
  EXPECT_EQ(fake.AllReads(), 2U);
}

}  // namespace
}  // namespace gpuwhy
