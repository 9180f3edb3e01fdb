#include "parse/live/surroundings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace gpuwhy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class Surroundings : public testing::Test {
 protected:
  Surroundings() { capture_.names = {""}; }
  NameId Name(std::string text) {
    capture_.names.push_back(std::move(text));
    return static_cast<NameId>(capture_.names.size() - 1);
  }
  void Set(const std::string& path, const std::string& text) {
    const NameId name = Name(path);
    capture_.file_texts.push_back({{}, name, Name(text), true});
  }
  const ProcessSurroundings& Process() {
    inventory_ = {};
    ReadSurroundings(capture_, inventory_);
    static const ProcessSurroundings kNone{};
    EXPECT_THAT(inventory_.processes, SizeIs(1));
    return inventory_.processes.empty() ? kNone : inventory_.processes.front();
  }

  Capture capture_;
  Inventory inventory_;
};

TEST_F(Surroundings, VariablesWithWhoSetsThem) {
  Set("/proc/7/environ", "CUDA_VISIBLE_DEVICES=\nNCCL_P2P_DISABLE=1\n");
  Set("/proc/7/root/etc/nccl.conf", "NCCL_DEBUG=INFO\n");
  EXPECT_THAT(Process().variables,
              ElementsAre(Setting{"/proc/7/environ", "CUDA_VISIBLE_DEVICES="},
                          Setting{"/proc/7/environ", "NCCL_P2P_DISABLE=1"},
                          Setting{"/proc/7/root/etc/nccl.conf", "NCCL_DEBUG=INFO"}));
}

TEST_F(Surroundings, AnOldOrForeignRecordingCarriesNoOtherVariable) {
  Set("/proc/7/environ", "AWS_SECRET_ACCESS_KEY=abc\nNCCL_ALGO=\x1b[2J\n");
  EXPECT_THAT(Process().variables, IsEmpty());
}

TEST_F(Surroundings, LimitsAndNone) {
  Set("/proc/7/limits",
      "Limit                     Soft Limit           Hard Limit           Units     \n"
      "Max open files            1024                 1048576              files     \n"
      "Max locked memory         unlimited            unlimited            bytes     \n");
  EXPECT_EQ(Process().files_limit, Reading<double>(1024.0));
  EXPECT_EQ(Process().locked_limit, (Reading<double>{Why::kNotPresent, "unlimited"}));
}

TEST_F(Surroundings, TheFullestLookAtSharedMemoryCounts) {
  Set("/proc/7/root/dev/shm", "size 67108864\nused 100 %\n");
  Set("/proc/7/root/dev/shm", "size 67108864\nused 3 %\n");
  EXPECT_EQ(Process().shm_size, Reading<double>(67108864.0));
  EXPECT_EQ(Process().shm_used, Reading<double>(1.0));
}

TEST_F(Surroundings, SharedMemoryThatMakesNoSenseIsMissing) {
  Set("/proc/7/root/dev/shm", "size 0\nused 100 %\n");
  EXPECT_FALSE(Process().shm_used);
  Set("/proc/7/root/dev/shm", "size 100\nused 101 %\n");
  EXPECT_FALSE(Process().shm_used);
}

TEST_F(Surroundings, DeviceFilesAndNone) {
  Set("/proc/7/root/dev", "nvidia-uvm\nnvidia0\nnvidiactl\n");
  EXPECT_EQ(Process().gpu_files, Reading<std::string>("nvidia-uvm nvidia0 nvidiactl"));
  Set("/proc/7/root/dev", "");
  EXPECT_EQ(Process().gpu_files, Reading<std::string>(""));
}

TEST_F(Surroundings, DeviceRulesOfVersionOne) {
  Set("/proc/7/devices.list", "c 1:5 rwm\nb *:* m\nc *:* m\nc 195:255 rw\n");
  EXPECT_EQ(Process().gpus_allowed, Reading<bool>(true));
  Set("/proc/7/devices.list", "a *:* rwm\n");
  EXPECT_EQ(Process().gpus_allowed, Reading<bool>(true));
  Set("/proc/7/devices.list", "c 1:5 rwm\nb *:* m\nc *:* m\nc 195:255 r\nb 195:0 rw\nnonsense\n");
  EXPECT_EQ(Process().gpus_allowed, Reading<bool>(false));
}

TEST_F(Surroundings, DeviceRulesOfVersionTwoCannotBeRead) {
  const NameId path = Name("/proc/7/devices.list");
  capture_.file_texts.push_back({{}, path, kNoName, Missing{Why::kNotSupported, "BPF"}});
  EXPECT_EQ(Process().gpus_allowed, (Reading<bool>{Why::kNotSupported, "BPF"}));
}

TEST_F(Surroundings, FilesOfNoProcessAreNotTheirs) {
  Set("/proc/modules", "nvidia 1 0 - Live\n");
  Set("/proc/driver/nvidia/version", "x");
  Set("/proc/-7/limits", "x");
  ReadSurroundings(capture_, inventory_);
  EXPECT_THAT(inventory_.processes, IsEmpty());
}

}  // namespace
}  // namespace gpuwhy
