#include "parse/live/inventory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class LiveTexts : public testing::Test {
 protected:
  LiveTexts() {
    capture_.names = {""};
    capture_.run.started = capture_.run.ended = {std::chrono::hours(100)};
  }
  NameId Name(std::string text) {
    capture_.names.push_back(std::move(text));
    return static_cast<NameId>(capture_.names.size() - 1);
  }
  void Set(const std::string& path, const std::string& text) {
    const NameId name = Name(path);
    capture_.file_texts.push_back({{}, name, Name(text), true});
  }
  void Gpu(const std::string& address, const std::string& link) {
    const std::string folder = "/sys/bus/pci/devices/" + address;
    Set(folder, link);
    Set(folder + "/class", "0x030200\n");
    Set(folder + "/vendor", "0x10de\n");
  }
  void Log(std::chrono::minutes before, const std::string& text) {
    capture_.kernel_lines.push_back({{std::chrono::hours(100) - before}, Name(text)});
  }
  const PciFunction& Function() {
    ReadLiveTexts(capture_);
    static const PciFunction kNone{};
    EXPECT_THAT(capture_.inventory.functions, SizeIs(1));
    return capture_.inventory.functions.empty() ? kNone : capture_.inventory.functions.front();
  }

  Capture capture_;
};

TEST_F(LiveTexts, AFunctionWithItsWayToTheRoot) {
  Gpu("0000:3b:00.0", "../../../devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0");
  Set("/sys/bus/pci/devices/0000:3b:00.0/driver", "../../../../bus/pci/drivers/nvidia");
  Set("/sys/bus/pci/devices/0000:3b:00.0/numa_node", "1\n");
  Set("/sys/bus/pci/devices/0000:3b:00.0/max_link_speed", "16.0 GT/s PCIe\n");
  Set("/sys/bus/pci/devices/0000:3b:00.0/current_link_width", "8\n");
  Set("/sys/bus/pci/devices/0000:3a:00.0/max_link_speed", "8.0 GT/s PCIe\n");
  const PciFunction& gpu = Function();
  EXPECT_TRUE(gpu.gpu);
  EXPECT_EQ(gpu.driver, "nvidia");
  EXPECT_EQ(gpu.numa_node, Reading<double>(1.0));
  ASSERT_THAT(gpu.way, SizeIs(2));
  EXPECT_EQ(gpu.way[0].address, "0000:3b:00.0");
  EXPECT_EQ(gpu.way[0].speed_able, Reading<double>(16.0));
  EXPECT_EQ(gpu.way[0].width_now, Reading<double>(8.0));
  EXPECT_EQ(gpu.way[1].speed_able, Reading<double>(8.0));
  EXPECT_FALSE(gpu.way[1].width_now);
  EXPECT_THAT(capture_.pasted.messages, IsEmpty());
}

TEST_F(LiveTexts, UnknownLinksAreMissing) {
  Gpu("0000:00:05.0", "../../../devices/pci0000:00/0000:00:05.0");
  Set("/sys/bus/pci/devices/0000:00:05.0/current_link_speed", "Unknown\n");
  Set("/sys/bus/pci/devices/0000:00:05.0/current_link_width", "255\n");
  Set("/sys/bus/pci/devices/0000:00:05.0/max_link_width", "0\n");
  Set("/sys/bus/pci/devices/0000:00:05.0/numa_node", "-1\n");
  const PciFunction& gpu = Function();
  EXPECT_FALSE(gpu.way[0].speed_now);
  EXPECT_FALSE(gpu.way[0].width_now);
  EXPECT_FALSE(gpu.way[0].width_able);
  EXPECT_FALSE(gpu.numa_node);
}

TEST_F(LiveTexts, ErrorCountersAreReadTwice) {
  Gpu("0000:3b:00.0", "");
  const std::string file = "/sys/bus/pci/devices/0000:3b:00.0/aer_dev_correctable";
  Set(file, "RxErr 4\nBadTLP 1\nTOTAL_ERR_COR 5\n");
  Set(file, "RxErr 40\nBadTLP 1\nTOTAL_ERR_COR 41\n");
  capture_.file_texts.back().at = {std::chrono::seconds(9)};
  const PciFunction& gpu = Function();
  EXPECT_EQ(gpu.corrected, Reading<double>(41.0));
  EXPECT_EQ(gpu.corrected_rate, Reading<double>(4.0));
  EXPECT_FALSE(gpu.uncorrected);
}

TEST_F(LiveTexts, TwoLooksTooCloseGiveNoRate) {
  Gpu("0000:3b:00.0", "");
  const std::string file = "/sys/bus/pci/devices/0000:3b:00.0/aer_dev_correctable";
  Set(file, "TOTAL_ERR_COR 5\n");
  Set(file, "TOTAL_ERR_COR 41\n");
  EXPECT_FALSE(Function().corrected_rate);
}

TEST_F(LiveTexts, ACounterThatFellHasNoRate) {
  Gpu("0000:3b:00.0", "");
  const std::string file = "/sys/bus/pci/devices/0000:3b:00.0/aer_dev_correctable";
  Set(file, "TOTAL_ERR_COR 41\n");
  Set(file, "TOTAL_ERR_COR 1\n");
  capture_.file_texts.back().at = {std::chrono::seconds(9)};
  ASSERT_FALSE(Function().corrected_rate);
  EXPECT_EQ(capture_.inventory.functions[0].corrected_rate.missing().why, Why::kWentBackwards);
}

TEST_F(LiveTexts, AGpuWithoutADriverIsSaid) {
  Gpu("0000:3b:00.0", "");
  ReadLiveTexts(capture_);
  ASSERT_THAT(capture_.pasted.messages, SizeIs(1));
  EXPECT_EQ(capture_.pasted.messages[0].kind, "smi.no-driver");
  EXPECT_FALSE(capture_.pasted.any) << "it is a live capture";
}

TEST_F(LiveTexts, ModulesWithTheirUsers) {
  Set("/proc/modules",
      "nvidia_uvm 1499136 0 - Live 0x0000000000000000 (PO)\nnvidia 1 3 a,b, Live\n");
  ReadLiveTexts(capture_);
  ASSERT_THAT(capture_.pasted.modules, SizeIs(2));
  EXPECT_EQ(capture_.pasted.modules[1].subject, "nvidia");
  EXPECT_EQ(capture_.pasted.modules[1].number, Reading<double>(3.0));
  EXPECT_EQ(capture_.pasted.modules[1].place.line, 2U);
}

TEST_F(LiveTexts, PortsAsIbstatSaysThem) {
  const std::string port = "/sys/class/infiniband/mlx5_0/ports/1";
  Set("/sys/class/infiniband/mlx5_0/hca_type", "MT4129\n");
  Set(port + "/state", "2: INIT\n");
  Set(port + "/phys_state", "5: LinkUp\n");
  Set(port + "/rate", "400 Gb/sec (4X NDR)\n");
  ReadLiveTexts(capture_);
  ASSERT_THAT(capture_.pasted.logs.texts, SizeIs(1));
  const IbPort& seen = capture_.pasted.logs.texts[0].ports.at(0);
  EXPECT_EQ(seen.state, "Initializing");
  EXPECT_EQ(seen.rate, 400);
  EXPECT_EQ(seen.type, "MT4129");
  EXPECT_EQ(seen.quote.text, "mlx5_0/ports/1: Initializing, LinkUp, 400 Gb/sec (4X NDR)");
}

TEST_F(LiveTexts, OldMessagesCountOnlyWhereTheyStillHold) {
  Log(std::chrono::minutes(90), "[1.0] Memory cgroup out of memory: Killed process 7 (python3)");
  Log(std::chrono::hours(40), "[2.0] NVRM: Xid (PCI:0000:3b:00): 48, pid=1, DBE");
  Log(std::chrono::hours(3), "[3.0] NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.");
  ReadLiveTexts(capture_);
  ASSERT_THAT(capture_.pasted.logs.texts, SizeIs(1));
  for (const StatementSeen& seen : capture_.pasted.logs.texts[0].statements) {
    for (const QuotedLine& line : seen.quotes)
      EXPECT_THAT(line.text, HasSubstr("Xid")) << line.text;
    for (const QuotedLine& line : seen.quotes) EXPECT_THAT(line.text, HasSubstr("79"));
  }
  EXPECT_FALSE(capture_.pasted.logs.texts[0].statements.empty());
}

TEST(WayToRoot, FromTheFunctionUp) {
  EXPECT_THAT(WayToRoot("../../../devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/0000:3c:10.0"),
              ElementsAre("0000:3c:10.0", "0000:3b:00.0", "0000:3a:00.0"));
  EXPECT_THAT(WayToRoot("../../../devices/pci0000:00/QEMU0002:00/x"), IsEmpty());
  EXPECT_THAT(WayToRoot(""), IsEmpty());
}

TEST(IsLookedAt, GpusBridgesOfNvidiaAndNetworkAdapters) {
  EXPECT_TRUE(IsLookedAt("0x030200", "0x10de"));
  EXPECT_TRUE(IsLookedAt("0x068000", "0x10de"));
  EXPECT_TRUE(IsLookedAt("0x020700", "0x15b3"));
  EXPECT_FALSE(IsLookedAt("0x030000", "0x1a03")) << "the management controller's display";
  EXPECT_FALSE(IsLookedAt("0x040300", "0x10de")) << "a sound device";
}

}  // namespace
}  // namespace gpuwhy
