#include <gtest/gtest.h>

#include "trace/importers/kineto.h"

namespace gpuwhy::trace {
namespace {

Result<Timeline> Import(const std::string& text) {
  return ImportKineto(*MakeMemoryStream(text), "t.json");
}

// As XProf writes it: no categories, planes as processes, a last event that is empty.
constexpr const char* kXprof = R"json({"displayTimeUnit":"ns","metadata":{"highres-ticks":true},
"traceEvents":[
{"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:GPU:0"}},
{"ph":"M","pid":1,"tid":16,"name":"thread_name","args":{"name":"Stream #16(Compute)"
}
},
{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"XLA Ops"}},
{"ph":"M","pid":1,"tid":3,"name":"thread_name","args":{"name":"Steps"}},
{"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}},
{"ph":"X","pid":1,"tid":16,"ts":100.5,"dur":20,"name":"fusion","args":{"correlation_id":"7"}},
{"ph":"X","pid":1,"tid":16,"ts":150,"dur":5,"name":"MemcpyH2D",
 "args":{"correlation_id":"8","memcpy_details":"kind_src:pinned num_bytes:64"}},
{"ph":"X","pid":1,"tid":2,"ts":100.5,"dur":20,"name":"fusion","args":{}},
{"ph":"X","pid":1,"tid":3,"ts":90,"dur":80,"name":"4","args":{}},
{"ph":"X","pid":701,"tid":9,"ts":80,"dur":5,"name":"fusion","args":{"correlation_id":"7"}},
{"ph":"X","pid":701,"tid":9,"ts":86,"dur":5,"name":"$profiler.py:91 start","args":{}},
{}]
})json";

TEST(ChromeTracks, ReadsWhatXprofWrites) {
  const Result<Timeline> timeline = Import(kXprof);
  ASSERT_TRUE(timeline.ok()) << timeline.error().Text();
  EXPECT_EQ(timeline->format, "chrome");
  const DeviceEvents& device = timeline->device;
  ASSERT_EQ(device.size(), 2U) << "XLA Ops tell the same time once more";
  EXPECT_EQ(device.start[0], 100'500);
  EXPECT_EQ(device.correlation[0], 7);
  EXPECT_EQ(device.work[1], Work::kH2D);
  EXPECT_EQ(device.bytes[1], 64U);
  EXPECT_EQ(device.host_memory[1], HostMemory::kPinned);
  EXPECT_EQ(timeline->lanes[device.lane[0]].stream, 16);
  ASSERT_EQ(timeline->host.size(), 1U);
  EXPECT_EQ(timeline->names.Text(timeline->host.name[0]), "cudaLaunchKernel");
  ASSERT_EQ(timeline->steps.size(), 1U);
  EXPECT_EQ(timeline->names.Text(timeline->steps[0].name), "step 4");
  EXPECT_TRUE(timeline->problems.empty());
}

TEST(ChromeTracks, TracksMayBeNamedAfterTheirEvents) {
  const Result<Timeline> timeline = Import(R"([
{"ph":"X","pid":"p","tid":5,"ts":1,"dur":2,"name":"conv"},
{"ph":"B","pid":"p","tid":6,"ts":1,"name":"prepare"},
{"ph":"E","pid":"p","tid":6,"ts":4},
{"ph":"M","pid":"p","tid":5,"name":"thread_name","args":{"name":"GPU 1 stream 5"}},
{"ph":"M","pid":"p","tid":6,"name":"thread_name","args":{"name":"main thread"}}])");
  ASSERT_TRUE(timeline.ok());
  ASSERT_EQ(timeline->device.size(), 1U);
  EXPECT_EQ(timeline->lanes[0].device, 1);
  EXPECT_EQ(timeline->lanes[0].stream, 5);
  ASSERT_EQ(timeline->host.size(), 1U);
  ASSERT_EQ(timeline->problems.size(), 1U) << "that it was guessed";
}

TEST(ChromeTracks, TensorFlowsSumOfAllStreamsIsNotCountedOnceMore) {
  const Result<Timeline> timeline = Import(R"([
{"ph":"M","pid":0,"name":"process_name","args":{"name":"/job:a/device:GPU:0/stream:14 Compute"}},
{"ph":"M","pid":1,"name":"process_name","args":{"name":"/job:a/device:GPU:0/stream:all Compute"}},
{"ph":"X","cat":"Op","pid":0,"tid":0,"ts":1,"dur":2,"name":"Conv2D"},
{"ph":"X","cat":"Op","pid":1,"tid":0,"ts":1,"dur":2,"name":"Conv2D"}])");
  ASSERT_TRUE(timeline.ok());
  EXPECT_EQ(timeline->device.size(), 1U);
}

TEST(ChromeTracks, BesidePyTorchsRowsOthersAreNotWanted) {
  const Result<Timeline> timeline = Import(R"([
{"ph":"M","pid":0,"tid":7,"name":"thread_name","args":{"name":"stream 7"}},
{"ph":"X","cat":"mine","pid":0,"tid":7,"ts":1,"dur":2,"name":"range"},
{"ph":"X","cat":"kernel","pid":0,"tid":7,"ts":1,"dur":2,"name":"gemm","args":{"stream":7}},
{"ph":"X","cat":"mine","pid":0,"tid":7,"ts":5,"dur":2,"name":"range"}])");
  ASSERT_TRUE(timeline.ok());
  EXPECT_EQ(timeline->format, "kineto");
  EXPECT_EQ(timeline->device.size(), 1U);
  EXPECT_TRUE(timeline->host.start.empty());
}

}  // namespace
}  // namespace gpuwhy::trace
