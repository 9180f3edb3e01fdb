#include "collect/procfs/block_layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "os/real_recorded_root.h"

namespace gpuwhy {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr DeviceNumber kDisk{8, 0}, kPartition{8, 1}, kMapped{253, 0};

Capture Layers(const RecordedRoot& root, const std::vector<DeviceNumber>& devices) {
  const HostEdge edge = root.Edge();
  Capture capture;
  AppendBlockLayers(edge.Get().files, devices, capture);
  return capture;
}

/// A disk with one partition, and a mapped device over that.
void MakeDisk(const RecordedRoot& root) {
  root.Link("/sys/dev/block/8:0", "../../devices/pci0/host0/block/sda");
  root.Link("/sys/dev/block/8:1", "../../devices/pci0/host0/block/sda/sda1");
  root.Link("/sys/dev/block/253:0", "../../devices/virtual/block/dm-0");
  root.Set("/sys/devices/pci0/host0/block/sda/dev", "8:0\n");
  root.Set("/sys/devices/pci0/host0/block/sda/sda1/dev", "8:1\n");
  root.Set("/sys/devices/pci0/host0/block/sda/sda1/partition", "1\n");
  root.Set("/sys/devices/virtual/block/dm-0/dev", "253:0\n");
  root.Link("/sys/devices/virtual/block/dm-0/slaves/sda1", "../../../../pci0/host0/block/sda/sda1");
}

TEST(BlockLayers, APartitionLiesOnItsDiskAndAMappedDeviceOnItsParts) {
  const RecordedRoot root;
  MakeDisk(root);
  const Capture capture = Layers(root, {kDisk, kPartition, kMapped});
  ASSERT_THAT(capture.block_layers, SizeIs(2)) << "a whole disk lies on nothing";
  EXPECT_EQ(capture.block_layers[0], (BlockLayer{kPartition, kDisk, true}));
  EXPECT_EQ(capture.block_layers[1], (BlockLayer{kMapped, kPartition, true}));
}

TEST(BlockLayers, ADeviceThatSysfsDoesNotHaveIsSaidToBeUnknown) {
  const RecordedRoot root;
  const Capture capture = Layers(root, {kDisk});
  ASSERT_THAT(capture.block_layers, SizeIs(1));
  ASSERT_FALSE(capture.block_layers[0].known.has());
  EXPECT_EQ(capture.block_layers[0].known.missing().why, Why::kNotPresent);
}

TEST(BlockLayers, APartitionWhoseDiskHasNoNumberIsSaidToBeUnknown) {
  const RecordedRoot root;
  MakeDisk(root);
  root.Set("/sys/devices/pci0/host0/block/sda/dev", "eight\n");
  const Capture capture = Layers(root, {kPartition});
  ASSERT_THAT(capture.block_layers, SizeIs(1));
  EXPECT_EQ(capture.block_layers[0].known.missing().why, Why::kFailed);
}

TEST(BlockLayers, NoDevicesNoLayers) {
  const RecordedRoot root;
  EXPECT_THAT(Layers(root, {}).block_layers, IsEmpty());
}

}  // namespace
}  // namespace gpuwhy
