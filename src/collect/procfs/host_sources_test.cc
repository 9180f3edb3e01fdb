#include "collect/host_sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include "collect/procfs/block_source.h"
#include "collect/procfs/cpu_source.h"
#include "collect/procfs/kept_file.h"
#include "collect/procfs/mount_source.h"
#include "collect/procfs/psi_source.h"
#include "os/fake_clock.h"
#include "os/fake_file_tree.h"
#include "os/fake_kernel_ipc.h"
#include "os/fake_process_memory.h"
#include "os/real_host.h"

namespace gpuwhy {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class HostSources : public testing::Test {
 protected:
  const std::string& Text(NameId id) {
    capture_.names = names_.NamesFrom(0);
    return capture_.Name(id);
  }

  FakeFileTree files_;
  FakeClock clock_;
  FakeProcessMemory memory_;
  FakeKernelIpc ipc_;
  Host host_{files_, clock_, memory_, ipc_};
  Interner names_;
  Capture capture_;
};

TEST_F(HostSources, CpuReadsTheSameOpenFileAgain) {
  files_.Set("/proc/stat", "cpu 1 2 3 4\nctxt 5\nprocs_running 6\nprocs_blocked 7\n");
  const std::unique_ptr<Source> source = MakeCpuSource(host_);
  EXPECT_THAT(source->Look(capture_), IsEmpty());
  clock_.Advance(std::chrono::seconds(1));
  files_.Set("/proc/stat", "cpu 2 2 3 4\nctxt 5\nprocs_running 6\nprocs_blocked 7\n");
  EXPECT_THAT(source->Look(capture_), IsEmpty());
  ASSERT_THAT(capture_.cpu, SizeIs(2));
  EXPECT_EQ(capture_.cpu[0].user, 1U);
  EXPECT_EQ(capture_.cpu[1].user, 2U);
  EXPECT_EQ(capture_.cpu[1].at - capture_.cpu[0].at, std::chrono::seconds(1));
}

TEST_F(HostSources, CpuSaysWhyItIsMissing) {
  files_.Fail("/proc/stat", EACCES);
  const std::unique_ptr<Source> source = MakeCpuSource(host_);
  EXPECT_EQ(source->Look(capture_).at(0).why, Why::kNoPermission);
  files_.Set("/proc/stat", "cpu x\n");
  EXPECT_EQ(source->Look(capture_).at(0).why, Why::kFailed);
  EXPECT_THAT(capture_.cpu, IsEmpty());
}

TEST_F(HostSources, PsiTakesWhatThereIs) {
  files_.Set("/proc/pressure/cpu", "some total=1\nfull total=0\n");
  files_.Set("/proc/pressure/io", "some total=2\nfull total=3\n");
  const std::unique_ptr<Source> source = MakePsiSource(host_);
  const std::vector<Missing> missing = source->Look(capture_);
  ASSERT_THAT(missing, SizeIs(1));
  EXPECT_EQ(missing[0].why, Why::kNotPresent) << "memory";
  ASSERT_THAT(capture_.psi, SizeIs(2));
  EXPECT_EQ(capture_.psi[0].some_us, 1U);
  EXPECT_EQ(capture_.psi[0].full_us.missing().why, Why::kNotSupported) << "0 was not measured";
  EXPECT_EQ(capture_.psi[1].resource, PsiResource::kIo);
  EXPECT_EQ(capture_.psi[1].full_us, Reading<std::uint64_t>(std::uint64_t{3}));
}

TEST_F(HostSources, PsiThatIsSwitchedOffIsNotSupported) {
  for (const char* path : {"/proc/pressure/cpu", "/proc/pressure/io", "/proc/pressure/memory"}) {
    files_.Fail(path, EOPNOTSUPP);
  }
  const std::unique_ptr<Source> source = MakePsiSource(host_);
  const std::vector<Missing> missing = source->Look(capture_);
  ASSERT_THAT(missing, SizeIs(3));
  EXPECT_EQ(missing[0].why, Why::kNotSupported);
}

TEST_F(HostSources, BlockLeavesOutIdleLoopsAndRamDisks) {
  files_.Set("/proc/diskstats",
             "1 0 ram0 1 1 1 1 1 1 1 1 1 1 1\n7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n"
             "7 1 loop1 5 0 0 0 0 0 0 0 0 0 0\n8 0 sda 0 0 0 0 0 0 0 0 0 0 0\nrubbish\n");
  const std::unique_ptr<Source> source = MakeBlockSource(host_, names_);
  const std::vector<Missing> missing = source->Look(capture_);
  ASSERT_THAT(missing, SizeIs(1));
  EXPECT_THAT(missing[0].detail, testing::HasSubstr("/proc/diskstats:5"));
  ASSERT_THAT(capture_.block, SizeIs(2));
  EXPECT_EQ(Text(capture_.block[0].name), "loop1");
  EXPECT_EQ(Text(capture_.block[1].name), "sda");
  EXPECT_EQ(capture_.block[0].at, clock_.Now());
}

TEST_F(HostSources, MountsAreReadOnceAndWithoutSecrets) {
  files_.Set("/proc/self/mountinfo",
             "36 35 0:44 / /data rw,noatime - cifs //ann:pw@server/x rw,username=ann,hard\n");
  const std::unique_ptr<Source> source = MakeMountSource(host_, names_);
  EXPECT_THAT(source->Look(capture_), IsEmpty());
  EXPECT_THAT(source->Look(capture_), IsEmpty());
  ASSERT_THAT(capture_.mounts, SizeIs(1));
  const Mount& mount = capture_.mounts[0];
  EXPECT_EQ(mount.pid, 0);
  EXPECT_EQ(mount.mount_id, 36);
  EXPECT_EQ(mount.device, (DeviceNumber{0, 44}));
  EXPECT_EQ(Text(mount.mount_point), "/data");
  EXPECT_EQ(Text(mount.source), "//(hidden)@server/x");
  EXPECT_EQ(Text(mount.options), "rw,noatime,rw,username=(hidden),hard");
}

TEST_F(HostSources, KeptFilesGrowTheirBufferAndReopenAfterFailures) {
  const std::string text(100'000, 'x');
  files_.Set("/f", text);
  KeptFile file(files_, clock_, "/f");
  EXPECT_EQ(file.Read()->text, text);
  files_.Remove("/f");
  EXPECT_EQ(file.Read().error().sys_errno, ESRCH);
  EXPECT_EQ(file.Read().error().sys_errno, ENOENT);
  files_.Set("/f", "back");
  EXPECT_EQ(file.Read()->text, "back");
  files_.Set("/f", std::string(FileTree::kDefaultLimit + 1, 'x'));
  EXPECT_EQ(file.Read().error().sys_errno, EFBIG);
}

TEST_F(HostSources, InfoOfAnOlderKernelComesFromTheProgramItself) {
  files_.Set("/proc/version", "Linux version 5.15.0 (a@b) #1\n");
  std::string head(
      "\x7f"
      "ELF\x02\x01",
      6);
  head.resize(18, '\0');
  files_.Set("/proc/self/exe", head + std::string("\xb7\x00", 2));
  files_.Set("/sys/devices/system/cpu/online", "0-3,6\n");
  const std::uint64_t auxv[] = {6, 65536, 17, 250, 0, 0};
  files_.Set("/proc/self/auxv", std::string(reinterpret_cast<const char*>(auxv), sizeof(auxv)));
  const HostInfo info = ReadHostInfo(host_);
  EXPECT_EQ(info.kernel, "5.15.0");
  EXPECT_EQ(info.machine, "aarch64");
  EXPECT_EQ(info.cpus_online, 5U);
  EXPECT_EQ(info.page_size, 65536U);
  EXPECT_EQ(info.ticks_per_second, 250U);
  EXPECT_EQ(info.id, "") << "no name";
}

TEST_F(HostSources, InfoThatIsNotThereStaysUnknown) {
  const HostInfo info = ReadHostInfo(host_);
  EXPECT_EQ(info, HostInfo{});
}

TEST_F(HostSources, TheIdDependsOnKeyAndNameAndShowsNeither) {
  files_.Set("/proc/sys/kernel/hostname", "node17\n");
  EXPECT_EQ(ReadHostInfo(host_).id, "") << "a hash without a key could be guessed";
  files_.Set("/proc/sys/kernel/random/boot_id", "00000000-0000-0000-0000-000000000001\n");
  const std::string by_boot = ReadHostInfo(host_).id;
  EXPECT_THAT(by_boot, SizeIs(16));
  files_.Set("/etc/machine-id", "uninitialized\n");
  EXPECT_EQ(ReadHostInfo(host_).id, by_boot);
  files_.Set("/etc/machine-id", "00000000000000000000000000000002\n");
  const std::string by_machine = ReadHostInfo(host_).id;
  EXPECT_NE(by_machine, by_boot);
  files_.Set("/proc/sys/kernel/hostname", "node18\n");
  EXPECT_NE(ReadHostInfo(host_).id, by_machine);
}

TEST(HostSourcesLive, ReadThisMachine) {
  const HostEdge edge("/");
  Interner names;
  const HostInfo info = ReadHostInfo(edge.Get());
  EXPECT_NE(info.kernel, "");
  EXPECT_NE(info.machine, "");
  EXPECT_GT(info.cpus_online, 0U);
  Capture capture;
  for (const std::unique_ptr<Source>& source : MakeHostSources(edge.Get(), names)) {
    for (const Missing& missing : source->Look(capture)) {
      EXPECT_NE(missing.why, Why::kFailed) << missing.detail;
    }
  }
  EXPECT_THAT(capture.cpu, SizeIs(1));
  EXPECT_FALSE(capture.mounts.empty());
}

}  // namespace
}  // namespace gpuwhy
