#include "trace/importers/xplane.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "trace/importers/device_names.h"
#include "trace/importers/test_xplane.h"

namespace gpuwhy::trace {
namespace {

Result<Timeline> Import(const std::string& bytes) {
  return ImportXplane(*MakeMemoryStream(bytes), "a.xplane.pb");
}

TEST(Xplane, DeviceWorkIsInTheLinesOfStreamsOnly) {
  const Result<Timeline> timeline = Import(Space());
  ASSERT_TRUE(timeline.ok()) << timeline.error().Text();
  const DeviceEvents& device = timeline->device;
  ASSERT_EQ(device.size(), 4U);
  EXPECT_EQ(device.start[0], 15'000);
  EXPECT_EQ(device.end[0], 19'000);
  EXPECT_EQ(timeline->names.Text(device.name[0]), "gemm_fusion.kd");
  EXPECT_EQ(device.correlation[0], 7);
  EXPECT_EQ(device.work[0], Work::kCompute);
  EXPECT_EQ(device.work[1], Work::kComm);
  EXPECT_EQ(device.work[3], Work::kH2D);
  EXPECT_EQ(device.bytes[3], 4096U);
  EXPECT_EQ(device.host_memory[3], HostMemory::kPageable);
  EXPECT_EQ(timeline->lanes[device.lane[0]].device, 3);
  EXPECT_EQ(timeline->lanes[device.lane[0]].stream, 16);
  ASSERT_EQ(timeline->devices.size(), 1U);
  EXPECT_EQ(timeline->devices[0].sm_count, 304U);
  EXPECT_TRUE(timeline->lost.empty());
}

TEST(Xplane, TheLaunchTellsWhereAKernelCopiesTo) {
  const Result<Timeline> timeline = Import(Space());
  ASSERT_TRUE(timeline.ok());
  EXPECT_EQ(timeline->device.work[2], Work::kD2H);
}

TEST(Xplane, HostEventsAreLaunchesWhereTheyCorrelate) {
  const Result<Timeline> timeline = Import(Space());
  ASSERT_TRUE(timeline.ok());
  const HostEvents& host = timeline->host;
  ASSERT_EQ(host.size(), 3U) << "neither Python's functions nor instants";
  EXPECT_EQ(timeline->names.Text(host.name[0]), "cudaLaunchKernel");
  EXPECT_EQ(host.kind[0], HostKind::kRuntime);
  EXPECT_EQ(host.correlation[0], 7);
  EXPECT_EQ(timeline->names.Text(host.name[2]), "IteratorGetNext");
  EXPECT_EQ(host.kind[2], HostKind::kOp);
}

TEST(Xplane, StepsAreThoseOfTheDevice) {
  const Result<Timeline> timeline = Import(Space());
  ASSERT_TRUE(timeline.ok());
  ASSERT_EQ(timeline->steps.size(), 1U);
  EXPECT_EQ(timeline->names.Text(timeline->steps[0].name), "step 12");
  EXPECT_EQ(timeline->steps[0].end - timeline->steps[0].start, 40'000);
}

TEST(Xplane, EveryCutGivesWhatIsWholeAndSaysSo) {
  const std::string all = Space();
  const std::size_t first = Field(1, DevicePlane()).size();
  for (std::size_t size = 1; size < all.size(); ++size) {
    const Result<Timeline> timeline = Import(all.substr(0, size));
    if (size < first) {
      EXPECT_FALSE(timeline.ok()) << size;
      continue;
    }
    ASSERT_TRUE(timeline.ok()) << size;
    EXPECT_EQ(timeline->device.size(), 4U);
    EXPECT_EQ(timeline->lost.contains("truncated"), size > first) << size;
  }
}

TEST(Xplane, TimesThatCannotBeAreLost) {
  const std::string line = Field(2, std::string("Stream #1(Compute)")) +
                           Event(1, 0, std::uint64_t{1} << 63U) +  // negative
                           Event(1, std::uint64_t{1} << 62U, 1) +  // behind all time
                           Event(1, 0, 8 * 24 * 3600 * kUs * 1'000'000) + Event(1, 5000, 5000);
  const std::string plane =
      Field(2, std::string("/device:GPU:0")) + Field(3, line) + Meta(4, 1, "k");
  const Result<Timeline> timeline = Import(Field(1, plane));
  ASSERT_TRUE(timeline.ok());
  EXPECT_EQ(timeline->device.size(), 2U);
  EXPECT_EQ(timeline->lost.at("negative-duration"), 1U);
  EXPECT_EQ(timeline->lost.at("overflowed-time"), 1U);
}

TEST(Xplane, IsRecognisedByItsFirstPlane) {
  EXPECT_TRUE(IsXplane(Space()));
  EXPECT_TRUE(
      IsXplane(Field(1, Field(1, std::uint64_t{300}) + Field(2, std::string("/host:CPU")))));
  for (const char* other :
       {"", "\n", "\n{\"traceEvents\": []}", "\n\x12/", "PK\x03\x04", "\n\x05\x12"})
    EXPECT_FALSE(IsXplane(other)) << other;
}

TEST(DeviceNames, CopiesAndSizes) {
  EXPECT_EQ(WorkByName("MemcpyD2D"), Work::kD2D);
  EXPECT_EQ(WorkByName("Memcpy HtoD (Pinned -> Device)"), Work::kH2D);
  EXPECT_EQ(WorkByName("Memset (Device)"), Work::kMemset);
  EXPECT_EQ(BytesOfDetails("size:112 dest:4 async:0"), 112U);
  EXPECT_EQ(BytesOfDetails("dest:4"), 0U);
  EXPECT_EQ(NumberBehind("/device:GPU:12", "GPU:"), 12);
  EXPECT_EQ(NumberBehind("GPU:x", "GPU:"), -1);
  EXPECT_EQ(LaunchName("MemcpyH2D", "size:4 async:0"), "cudaMemcpy");
  EXPECT_EQ(LaunchName("MemcpyH2D", "size:4 async:1"), "cudaMemcpyAsync");
  EXPECT_EQ(LaunchName("hipModuleLaunchKernel", ""), "hipModuleLaunchKernel");
}

}  // namespace
}  // namespace gpuwhy::trace
