#include "os/real_file_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "os/real_host.h"

namespace gpuwhy {
namespace {

using testing::ElementsAre;

class RealFiles : public testing::Test {
 protected:
  RealFiles() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gpuwhy-XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
    std::filesystem::create_directories(root_ + "/proc/1");
  }
  ~RealFiles() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& path, const std::string& content) {
    std::ofstream(root_ + path) << content;
  }

  std::string root_;
};

TEST_F(RealFiles, LieUnderTheRoot) {
  Write("/proc/uptime", "12.5 3.0\n");
  RealFileTree tree(root_ + "/");
  FileTree& files = tree;
  EXPECT_EQ(*files.Read("/proc/uptime"), "12.5 3.0\n");
  EXPECT_EQ(*files.Read("proc/uptime"), "12.5 3.0\n");
  EXPECT_THAT(*files.List("/proc"), ElementsAre("1", "uptime"));
  const Result<std::string> absent = files.Read("/proc/version");
  ASSERT_FALSE(absent.ok());
  EXPECT_EQ(absent.error().where, "/proc/version") << "as the host sees it, wherever the root is";
  EXPECT_EQ(ToMissing(absent.error()).why, Why::kNotPresent);
}

TEST_F(RealFiles, LongerThanTheLimitAreRefusedNotCut) {
  RealFileTree tree(root_);
  for (const std::size_t size : {0U, 1U, 16383U, 16384U, 16385U, 100'000U}) {
    const std::string content(size, 'x');
    Write("/f", content);
    EXPECT_EQ(*tree.Read("/f", size), content) << size;
    if (size == 0) continue;
    EXPECT_EQ(tree.Read("/f", size - 1).error().sys_errno, EFBIG) << size;
  }
}

TEST_F(RealFiles, ThatAreNoRegularFilesAreRefusedWithoutWaiting) {
  ASSERT_EQ(::mkfifo((root_ + "/fifo").c_str(), 0600), 0);
  RealFileTree tree(root_);
  EXPECT_EQ(tree.Read("/fifo", 10).error().sys_errno, EINVAL);
  EXPECT_EQ(tree.Open("/fifo").error().sys_errno, EINVAL);
  EXPECT_EQ(tree.Read("/proc", 10).error().sys_errno, EISDIR);
  EXPECT_EQ(tree.List("/fifo").error().sys_errno, ENOTDIR);
  EXPECT_EQ(tree.Read(std::string("/fifo\0x", 7), 10).error().sys_errno, EINVAL);
}

TEST_F(RealFiles, OpenOnesAreReadFromTheirStartEachTime) {
  Write("/f", "one");
  RealFileTree tree(root_);
  const Result<std::unique_ptr<OpenFile>> file = tree.Open("/f");
  ASSERT_TRUE(file.ok());
  std::array<char, 8> buffer{};
  EXPECT_EQ(*(*file)->Read(buffer), 3U);
  Write("/f", "two and more");
  EXPECT_EQ(*(*file)->Read(buffer), 8U);
  EXPECT_EQ(std::string_view(buffer.data(), buffer.size()), "two and ");
}

TEST_F(RealFiles, LinksAreReadNotFollowed) {
  const std::string target = "/nowhere/" + std::string(1000, 'n');
  ASSERT_EQ(::symlink(target.c_str(), (root_ + "/link").c_str()), 0);
  Write("/f", "");
  RealFileTree tree(root_);
  EXPECT_EQ(*tree.ReadLink("/link"), target);
  EXPECT_EQ(tree.ReadLink("/f").error().sys_errno, EINVAL);
}

TEST_F(RealFiles, OfARecordingComeWithoutMemoryAndIpc) {
  const HostEdge edge(root_);
  const Host host = edge.Get();
  std::array<char, 4> buffer{};
  EXPECT_EQ(host.memory.Read(::getpid(), 1, buffer).error().sys_errno, ENOSYS);
  EXPECT_EQ(host.ipc.UnixPeers().error().sys_errno, ENOSYS);
  EXPECT_EQ(host.ipc.SysvSemLastPid(0, 0).error().sys_errno, ENOSYS);
}

TEST(RealFileTree, ReadsTablesOfProcWhole) {
  RealFileTree tree("/");
  FileTree& files = tree;
  const Result<std::string> maps = files.Read("/proc/self/maps");
  ASSERT_TRUE(maps.ok()) << maps.error().Text();
  // Several pages of text, which the kernel hands out in pieces.
  EXPECT_GT(maps->size(), 4096U);
  EXPECT_NE(maps->find("[vdso]"), std::string::npos) << "the last lines are there";
  const Result<std::unique_ptr<OpenFile>> file = files.Open("/proc/self/maps");
  ASSERT_TRUE(file.ok());
  std::string buffer(1U << 20U, '\0');
  buffer.resize(*(*file)->Read(buffer));
  EXPECT_NE(buffer.find("[vdso]"), std::string::npos);
}

TEST(RealFileTree, TellsTheRoomOfAFileSystemInMemoryOnly) {
  RealFileTree tree("/");
  EXPECT_EQ(tree.SpaceOf("/proc").error().sys_errno, ENOTSUP) << "another kind";
  EXPECT_EQ(tree.SpaceOf("/proc/self/status").error().sys_errno, ENOTDIR);
  EXPECT_EQ(tree.SpaceOf("/proc/self/no-such-folder").error().sys_errno, ENOENT);
  // Links are not followed: where a job puts one, it leads anywhere.
  EXPECT_FALSE(tree.SpaceOf("/proc/self/cwd").ok());
  const Result<MemorySpace> space = tree.SpaceOf("/dev/shm");
  if (!space.ok()) GTEST_SKIP() << "no tmpfs at /dev/shm here";
  EXPECT_GE(space->size, space->free);
  EXPECT_GT(space->size, 0U);
}

TEST(ToMissing, KeepsTheReasonAndTheText) {
  EXPECT_EQ(ToMissing({"m", "/f", EACCES}).why, Why::kNoPermission);
  EXPECT_EQ(ToMissing({"m", "/f", EPERM}).why, Why::kNoPermission);
  EXPECT_EQ(ToMissing({"m", "/f", ESRCH}).why, Why::kNotPresent);
  EXPECT_EQ(ToMissing({"m", "/f", ENOSYS}).why, Why::kNotSupported);
  EXPECT_EQ(ToMissing({"m", "/f", EOPNOTSUPP}).why, Why::kNotSupported);
  EXPECT_EQ(ToMissing({"m", "/f", ETIMEDOUT}).why, Why::kTimedOut);
  EXPECT_EQ(ToMissing({"m", "/f", EIO}).why, Why::kFailed);
  EXPECT_EQ(ToMissing({"m", "/f", 0}), (Missing{Why::kFailed, "/f: m"}));
}

}  // namespace
}  // namespace gpuwhy
