#include "collect/surroundings_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <map>
#include <string>

#include "collect/procfs/fake_proc.h"

namespace gpuwhy {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kMounts =
    "1 0 0:30 / / rw - overlay overlay rw\n"
    "2 1 0:31 / /dev rw - tmpfs tmpfs rw,size=65536k\n"
    "3 2 0:32 / /dev/shm rw - tmpfs shm rw,size=65536k\n";

class SurroundingsSource : public testing::Test {
 protected:
  SurroundingsSource() {
    proc_.Add({.pid = 7, .children = "8"});
    proc_.Add({.pid = 8, .ppid = 7});
    for (const std::int32_t pid : {7, 8}) {
      proc_.files.Set(ProcessPath(pid, "limits"), "Max locked memory  65536 65536 bytes\n");
      proc_.files.Set(ProcessPath(pid, "environ"),
                      std::string("HOME=/root\0NCCL_P2P_DISABLE=1\0", 31));
      proc_.files.SetLink(ProcessPath(pid, "ns/mnt"), "mnt:[4026]");
      proc_.files.Set(ProcessPath(pid, "mountinfo"), kMounts);
    }
    proc_.files.Set("/proc/7/root/dev/nvidia0", "");
    proc_.files.Set("/proc/7/root/dev/nvidiactl", "");
    proc_.files.Set("/proc/7/root/dev/null", "");
    proc_.files.SetSpace("/proc/7/root/dev/shm", {1000, 400});
  }
  /// By path; of one that was read twice the last text.
  std::map<std::string, std::string> Texts() {
    const std::vector<std::string> names = names_.NamesFrom(0);
    std::map<std::string, std::string> texts;
    for (const FileText& text : capture_.file_texts)
      texts[names.at(text.path)] = text.read ? names.at(text.text) : "missing";
    return texts;
  }
  std::vector<Missing> Look() { return source_->Look(capture_); }

  FakeProc proc_;
  Interner names_;
  Capture capture_;
  std::shared_ptr<JobFocus> focus_ = std::make_shared<JobFocus>();
  std::unique_ptr<Source> source_ = MakeSurroundingsSource(proc_.Get(), names_, 7, focus_);
};

TEST_F(SurroundingsSource, KeepsWhatTheJobWasGiven) {
  EXPECT_THAT(Look(), IsEmpty());
  std::map<std::string, std::string> texts = Texts();
  EXPECT_EQ(texts["/proc/7/environ"], "NCCL_P2P_DISABLE=1\n") << "and nothing else of it";
  EXPECT_EQ(texts["/proc/7/limits"], "Max locked memory  65536 65536 bytes\n");
  EXPECT_EQ(texts["/proc/7/root/dev"], "nvidia0\nnvidiactl\n");
  EXPECT_EQ(texts["/proc/7/root/dev/shm"], "size 1000\nused 60 %\n");
  EXPECT_EQ(texts["/proc/7/devices.list"], "missing") << "no hierarchy of version 1";
}

TEST_F(SurroundingsSource, NothingOfAnEnvironmentButKnownNamesIsInterned) {
  static_cast<void>(Look());
  for (const std::string& name : names_.NamesFrom(0))
    EXPECT_EQ(name.find("HOME"), std::string::npos) << name;
}

TEST_F(SurroundingsSource, AProcessThatIsAlikeAddsNothing) {
  static_cast<void>(Look());
  EXPECT_FALSE(Texts().contains("/proc/8/environ"));
  EXPECT_FALSE(Texts().contains("/proc/8/limits"));
}

TEST_F(SurroundingsSource, SharedMemoryIsKeptAgainWhereItChanged) {
  static_cast<void>(Look());
  const std::size_t once = capture_.file_texts.size();
  static_cast<void>(Look());
  EXPECT_THAT(capture_.file_texts, SizeIs(once));
  proc_.files.SetSpace("/proc/7/root/dev/shm", {1000, 0});
  static_cast<void>(Look());
  EXPECT_EQ(Texts()["/proc/7/root/dev/shm"], "size 1000\nused 100 %\n");
}

TEST_F(SurroundingsSource, FoldersOnAServerAreNotTouched) {
  proc_.files.Set("/proc/7/mountinfo",
                  "1 0 0:30 / / rw - nfs4 srv:/root rw\n2 1 0:31 / /dev rw - tmpfs tmpfs rw\n"
                  "3 2 0:32 / /dev/shm rw - tmpfs shm rw\n");
  static_cast<void>(Look());
  EXPECT_FALSE(Texts().contains("/proc/7/root/dev"));
  EXPECT_FALSE(Texts().contains("/proc/7/root/dev/shm"));
}

TEST_F(SurroundingsSource, SharedMemoryThatIsNoTmpfsIsNotTouched) {
  proc_.files.Set("/proc/7/mountinfo",
                  "1 0 0:30 / / rw - overlay overlay rw\n3 1 0:32 / /dev/shm rw - fuse.x x rw\n");
  static_cast<void>(Look());
  EXPECT_FALSE(Texts().contains("/proc/7/root/dev/shm"));
}

TEST_F(SurroundingsSource, WithoutRightsSaysSoOnce) {
  for (const std::int32_t pid : {7, 8}) {
    proc_.files.Fail(ProcessPath(pid, "environ"), EACCES);
    proc_.files.Fail(ProcessPath(pid, "ns/mnt"), EACCES);
  }
  const std::vector<Missing> missing = Look();
  ASSERT_THAT(missing, SizeIs(2));
  EXPECT_EQ(missing[0].why, Why::kNoPermission);
  EXPECT_THAT(Look(), IsEmpty());
}

TEST_F(SurroundingsSource, AProcessThatEndedHidesNothing) {
  proc_.files.Remove("/proc/7");
  EXPECT_THAT(Look(), IsEmpty());
}

TEST_F(SurroundingsSource, WithoutAJobNothingIsRead) {
  source_ = MakeSurroundingsSource(proc_.Get(), names_, 0, focus_);
  EXPECT_THAT(Look(), IsEmpty());
  EXPECT_THAT(capture_.file_texts, IsEmpty());
  focus_->pid = 7;
  static_cast<void>(Look());
  EXPECT_TRUE(Texts().contains("/proc/7/environ"));
}

TEST_F(SurroundingsSource, DeviceRulesAndSettingsOfTheContainer) {
  proc_.files.Set("/proc/self/mountinfo",
                  "9 1 0:40 / /sys/fs/cgroup/devices rw - cgroup cgroup rw,devices\n");
  proc_.files.Set("/proc/7/cgroup", "4:devices:/docker/ab\n0::/x\n");
  proc_.files.Set("/sys/fs/cgroup/devices/docker/ab/devices.list", "c 195:* rw\n");
  proc_.files.Set("/proc/7/root/etc/nccl.conf", "NCCL_SHM_DISABLE=1\nPASSWORD=x\n");
  static_cast<void>(Look());
  EXPECT_EQ(Texts()["/proc/7/devices.list"], "c 195:* rw\n");
  EXPECT_FALSE(Texts().contains("/proc/7/root/etc/nccl.conf")) << "it might hang: the rest first";
  static_cast<void>(Look());
  EXPECT_EQ(Texts()["/proc/7/root/etc/nccl.conf"], "NCCL_SHM_DISABLE=1\n");
}

}  // namespace
}  // namespace gpuwhy
