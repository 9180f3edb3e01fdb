#include "trace/importers/kineto.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace gpuwhy::trace {
namespace {

Timeline Import(const std::string& text, std::size_t chunk = kJsonChunk) {
  const std::unique_ptr<ByteStream> stream = MakeMemoryStream(text);
  Result<Timeline> timeline = ImportKineto(*stream, "t.json", chunk);
  EXPECT_TRUE(timeline.ok());
  return timeline.ok() ? *std::move(timeline) : Timeline{};
}

std::string Event(std::string_view category, std::string_view name, std::string_view ts,
                  std::string_view dur, std::string_view args = "") {
  return fmt::format(R"({{"ph":"X","cat":"{}","name":"{}","pid":0,"tid":7,"ts":{},"dur":{})"
                     R"(,"args":{{{}}}}})",
                     category, name, ts, dur, args);
}

Timeline ImportOne(const std::string& event) { return Import("[" + event + "]"); }

TEST(Kineto, PutsEachCategoryWhereItBelongs) {
  struct Case {
    const char *category, *name;
    Work work;
  };
  for (const Case& c : {Case{"kernel", "gemm", Work::kCompute},
                        {"Kernel", "gemm", Work::kCompute},
                        {"kernel", "ncclDevKernel_AllReduce", Work::kComm},
                        {"kernel", "multimem_all_reduce_kernel", Work::kComm},
                        {"gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", Work::kH2D},
                        {"Memcpy", "Memcpy DtoH (Device -> Pageable)", Work::kD2H},
                        {"gpu_memcpy", "CopyDeviceToDevice", Work::kD2D},
                        {"gpu_memcpy", "Memcpy PtoP", Work::kP2P},
                        {"gpu_memcpy", "odd", Work::kMemcpyOther},
                        {"gpu_memset", "Memset (Device)", Work::kMemset},
                        {"Memset", "Memset", Work::kMemset}}) {
    const Timeline t = ImportOne(Event(c.category, c.name, "1", "2"));
    ASSERT_EQ(t.device.size(), 1U) << c.category;
    EXPECT_EQ(t.device.work[0], c.work) << c.name;
    EXPECT_EQ(t.host.size(), 0U);
  }
  struct HostCase {
    const char* category;
    HostKind kind;
  };
  for (const HostCase& c : {HostCase{"cpu_op", HostKind::kOp},
                            {"Operator", HostKind::kOp},
                            {"cuda_runtime", HostKind::kRuntime},
                            {"cuda_driver", HostKind::kDriver},
                            {"user_annotation", HostKind::kAnnotation},
                            {"overhead", HostKind::kOverhead}}) {
    const Timeline t = ImportOne(Event(c.category, "x", "1", "2"));
    ASSERT_EQ(t.host.size(), 1U) << c.category;
    EXPECT_EQ(t.host.kind[0], c.kind);
  }
  // A device annotation covers kernels and is no work of its own.
  EXPECT_EQ(ImportOne(Event("gpu_user_annotation", "x", "1", "2")).device.size(), 0U);
}

TEST(Kineto, ReadsTheFieldsOfAKernel) {
  const Timeline t = ImportOne(Event(
      "kernel", "ncclDevKernel", "100.5", "2.25",
      R"("device":3,"stream":20,"correlation":42,"grid":[10,2,1],"blocks per SM":1.5,)"
      R"("est. achieved occupancy %":31,"Collective name":"allreduce","Process Group Name":"7",)"
      R"("In msg nelems":1000,"Out msg nelems":1000,"Group size":8,"dtype":"BFloat16")"));
  EXPECT_EQ(t.device.start[0], 100500);
  EXPECT_EQ(t.device.end[0], 102750);
  EXPECT_EQ(t.device.correlation[0], 42);
  EXPECT_EQ(t.lanes[t.device.lane[0]].device, 3);
  EXPECT_EQ(t.lanes[t.device.lane[0]].stream, 20);
  const KernelDetail& detail = t.kernel_details[t.device.detail[0]];
  EXPECT_EQ(detail.blocks, 20U);
  EXPECT_FLOAT_EQ(detail.occupancy, 31);
  EXPECT_EQ(t.names.Text(detail.collective), "allreduce");
  EXPECT_EQ(detail.group_size, 8U);
  EXPECT_EQ(t.resolution_ns, 100);
}

TEST(Kineto, ReadsKeysInAlphabeticalOrder) {
  const Timeline t = Import(
      R"([{"args":{"bytes":64,"correlation":5,"device":1,"stream":2},"cat":"gpu_memcpy","dur":3,)"
      R"x("name":"Memcpy HtoD (Pageable -> Device)","ph":"X","pid":1,"tid":2,"ts":10},)x"
      R"({"args":{"correlation":5},"cat":"cuda_runtime","dur":1,"name":"cudaMemcpyAsync","ph":"X",)"
      R"("pid":9,"tid":9,"ts":8}])");
  ASSERT_EQ(t.device.size(), 1U);
  EXPECT_EQ(t.device.bytes[0], 64U);
  EXPECT_EQ(t.device.correlation[0], 5);
  EXPECT_EQ(t.device.host_memory[0], HostMemory::kPageable);
  EXPECT_EQ(t.lanes[0].device, 1);
  EXPECT_EQ(t.host.correlation[0], 5);
}

TEST(Kineto, ReadsNumbersWrittenAsTexts) {
  const Timeline t = Import(
      R"([{"ph":"X","cat":"kernel","name":"k","pid":"0","tid":"stream 7","ts":"12.5","dur":"2",)"
      R"("args":{"device":"1","stream":"7","correlation":"9"}}])");
  ASSERT_EQ(t.device.size(), 1U);
  EXPECT_EQ(t.device.end[0], 14500);
  EXPECT_EQ(t.device.correlation[0], 9);
  EXPECT_EQ(t.lanes[0].stream, 7);
}

TEST(Kineto, KeepsZeroAndCountsNegativeAndOverflowedDurations) {
  const Timeline t = Import(
      "[" + Event("kernel", "k", "5", "0") + "," + Event("kernel", "k", "5", "-3") + "," +
      Event("kernel", "k", "5", "18000000000000000") + "," + Event("kernel", "k", "5", "NaN") +
      "," + Event("kernel", "k", "9000000000000000", "1") + "]");
  EXPECT_EQ(t.device.size(), 1U);
  EXPECT_EQ(t.lost.at("negative-duration"), 1U);
  EXPECT_EQ(t.lost.at("overflowed-time"), 1U);
  EXPECT_EQ(t.lost.at("no-time"), 2U);
}

TEST(Kineto, PairsBeginAndEndPerThread) {
  const Timeline t = Import(
      R"([{"ph":"B","cat":"cpu_op","name":"outer","pid":1,"tid":1,"ts":1},)"
      R"({"ph":"B","cat":"cpu_op","name":"other thread","pid":1,"tid":2,"ts":2},)"
      R"({"ph":"B","cat":"kernel","name":"inner","pid":1,"tid":1,"ts":3,"args":{"stream":4}},)"
      R"({"ph":"E","pid":1,"tid":1,"ts":5},{"ph":"E","pid":1,"tid":1,"ts":9},)"
      R"({"ph":"E","pid":1,"tid":2,"ts":8},{"ph":"E","pid":1,"tid":2,"ts":9},)"
      R"({"ph":"B","cat":"cpu_op","name":"open","pid":1,"tid":2,"ts":10}])",
      16);
  ASSERT_EQ(t.device.size(), 1U);
  EXPECT_EQ(t.device.end[0], 5000);
  EXPECT_EQ(t.lanes[0].stream, 4);
  ASSERT_EQ(t.host.size(), 2U);
  EXPECT_EQ(t.names.Text(t.host.name[0]), "outer");
  EXPECT_EQ(t.host.end[0], 9000);
  EXPECT_EQ(t.names.Text(t.host.name[1]), "other thread");
  EXPECT_EQ(t.lost.at("unpaired"), 2U);
}

TEST(Kineto, ReadsMetadataBeforeAndBehindTheEvents) {
  const Timeline t = Import(
      R"({"deviceProperties":[{"id":0,"name":"NVIDIA H100","numSms":132}],"traceEvents":[],)"
      R"("distributedInfo":{"rank":3,"world_size":16},"baseTimeNanoseconds":1700000000000000000})");
  EXPECT_EQ(t.rank, 3);
  EXPECT_EQ(t.world_size, 16);
  EXPECT_TRUE(t.base_known);
  EXPECT_EQ(t.devices.at(0).sm_count, 132U);
  EXPECT_TRUE(t.problems.empty());
}

TEST(Kineto, ToleratesEmptyObjectsFlowsAndMetadataEvents) {
  const Timeline t =
      Import(R"([{"ph":"M","name":"process_name","pid":0,"args":{"name":"python"}},)"
             R"({"ph":"s","id":1,"pid":0,"tid":0,"ts":1,"cat":"ac2g","name":"ac2g"},{},)" +
             Event("kernel", "k", "1", "1") + ",{}]");
  EXPECT_EQ(t.device.size(), 1U);
  EXPECT_EQ(t.events, 5U);
  EXPECT_TRUE(t.lost.empty());
}

TEST(Kineto, FindsStepsByTheirMarkers) {
  const Timeline t = Import("[" + Event("user_annotation", "ProfilerStep#4", "1", "9") + "," +
                            Event("cpu_op", "step", "1", "2") + "]");
  ASSERT_EQ(t.steps.size(), 1U);
  EXPECT_EQ(t.names.Text(t.steps[0].name), "ProfilerStep#4");
  EXPECT_EQ(t.steps[0].end, 10000);
}

TEST(Kineto, SaysWhereATruncatedFileEnds) {
  const std::string whole =
      "[" + Event("kernel", "k", "1", "1") + "," + Event("kernel", "k", "2", "1");
  const Timeline t = Import(whole.substr(0, whole.size() - 5));
  EXPECT_EQ(t.device.size(), 1U);
  ASSERT_EQ(t.problems.size(), 1U);
  EXPECT_NE(t.problems[0].find(std::to_string(whole.size() - 5)), std::string::npos);
  EXPECT_EQ(t.lost.at("truncated"), 1U);
}

}  // namespace
}  // namespace gpuwhy::trace
