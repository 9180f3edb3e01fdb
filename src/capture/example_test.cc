// The committed example is for everybody: it shows a job, and nothing of the host it ran on.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "capture/codec.h"

namespace gpuwhy {
namespace {

Capture Example() {
  const std::string path = std::string(GPUWHY_SOURCE_DIR) + "/examples/slow-opens.gpuwhy";
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const Result<DecodedRecording> recording = DecodeRecording(bytes, path);
  EXPECT_TRUE(recording.ok());
  return recording.ok() ? recording->capture : Capture{};
}

TEST(Example, HasNoMountsButTheUsualOnes) {
  const std::set<std::string> usual = {"/",        "/data",    "/dev",      "/dev/mqueue",
                                       "/dev/pts", "/dev/shm", "/proc",     "/sys",
                                       "/tmp",     "/run",     "/run/lock", "/sys/fs/cgroup"};
  const Capture example = Example();
  ASSERT_FALSE(example.mounts.empty());
  for (const Mount& mount : example.mounts) {
    const std::string& point = example.Name(mount.mount_point);
    EXPECT_TRUE(usual.contains(point) || point.starts_with("/sys/") || point.starts_with("/proc/"))
        << point;
  }
}

TEST(Example, ShowsNoControlGroupAndNoKernelOfItsHost) {
  const Capture example = Example();
  for (const ProcessSeen& process : example.processes) {
    for (const CgroupRef& cgroup : process.cgroups) EXPECT_EQ(example.Name(cgroup.path), "/");
  }
  EXPECT_EQ(example.host.kernel.find_first_not_of("0123456789."), std::string::npos)
      << example.host.kernel << ": the release alone, without who built it";
}

}  // namespace
}  // namespace gpuwhy
