#include "trace/importers/op_shapes.h"

#include <gtest/gtest.h>

#include <string>

#include "trace/importers/kineto.h"
#include "trace/kernels.h"

namespace gpuwhy::trace {
namespace {

TEST(ShapesText, OneItemATensorWithoutScalars) {
  struct Case {
    const char *json, *text;
  };
  for (const Case& c :
       {Case{"[[64, 3, 224, 224], [64, 3, 7, 7], [], []]", "[64,3,224,224] [64,3,7,7]"},
        {"[[1]]", "[1]"},
        {"[\n  [\n    2,\n    3\n  ],\n  []\n]", "[2,3]"},
        {"[[[2, 3], [4]], [5]]", "[[2,3],[4]] [5]"},
        {"[[], []]", ""},
        {"[]", ""},
        {"", ""},
        {"[\"\", [7]]", "[7]"},
        {"]]]][[[[", ""}}) {
    EXPECT_EQ(ShapesText(c.json), c.text) << c.json;
  }
}

TEST(ShapesText, IsCutBetweenTensorsWhereTheyAreShortAndNeverGrows) {
  std::string many = "[";
  for (int i = 0; i < 1000; ++i) many += "[128, 256], ";
  const std::string text = ShapesText(many + "[1]]");
  EXPECT_LE(text.size(), kLongestShapes + 3);
  EXPECT_TRUE(text.ends_with("...")) << text;
  const std::string deep(1'000'000, '[');
  EXPECT_LE(ShapesText(deep).size(), kLongestShapes + 3);
  EXPECT_LE(ShapesText("[[" + std::string(1'000'000, '1')).size(), kLongestShapes + 3);
}

TEST(OpShapes, WithoutEndOfDifferentShapesTheTableEnds) {
  OpShapes shapes;
  Timeline timeline;
  HostEvents& host = timeline.host;
  for (std::size_t i = 0; i < kMostShapes + 1000; ++i) {
    host.start.push_back(0);
    shapes.Add("[[" + std::to_string(i) + "]]", timeline);
  }
  host.start.push_back(0);
  shapes.Finish(timeline);
  EXPECT_EQ(timeline.names.size(), kMostShapes + 1) << "and the empty one";
  ASSERT_EQ(host.inputs.size(), host.size());
  EXPECT_NE(host.inputs[5], 0U);
  EXPECT_EQ(host.inputs[kMostShapes + 900], 0U);
  EXPECT_EQ(timeline.problems.size(), 1U);
}

// A thread on which operators nest and launch: each call takes 10 us.
class Program {
 public:
  Program& Op(const char* name, int at, int dur, const std::string& dims, int thread = 1) {
    Add(R"("cat":"cpu_op","name":")" + std::string(name) + "\"", thread, at, dur,
        R"("External id":7,"Input Dims":)" + dims + R"(,"Input type":["float",""])");
    return *this;
  }
  Program& Kernel(const char* name, int launched, int dur, int thread = 1) {
    const std::string correlation = R"("correlation":)" + std::to_string(++correlation_);
    Add(R"("cat":"cuda_runtime","name":"cudaLaunchKernel")", thread, launched, 2, correlation);
    // As PyTorch 2.0 writes it: the id is no operator's.
    Add(R"("cat":"kernel","name":")" + std::string(name) + "\"", 9, launched + 5, dur,
        correlation + R"(,"device":0,"stream":7,"External id":)" + std::to_string(correlation_));
    return *this;
  }
  [[nodiscard]] KernelFigures Figures() const {
    const Result<Timeline> timeline =
        ImportKineto(*MakeMemoryStream("[" + events_ + "]"), "t.json", kJsonChunk);
    EXPECT_TRUE(timeline.ok());
    return timeline ? KernelsOf(*timeline, 2) : KernelFigures{};
  }

 private:
  void Add(const std::string& what, int thread, int at, int dur, const std::string& args) {
    if (!events_.empty()) events_ += ",\n";
    events_ += R"({"ph":"X",)" + what + R"(,"pid":1,"tid":)" + std::to_string(thread) +
               R"(,"ts":)" + std::to_string(at) + R"(,"dur":)" + std::to_string(dur) +
               R"(,"args":{)" + args + "}}";
  }
  std::string events_;
  int correlation_ = 0;
};

TEST(OpShapes, AKernelIsToldWithTheCallsThatCostMost) {
  Program program;
  program.Kernel("gemm", 2, 10).Op("aten::mm", 0, 10, "[[2, 3], [3, 4]]");
  program.Op("aten::mm", 100, 10, "[[20, 30], [30, 40]]").Kernel("gemm", 102, 70);
  program.Op("aten::mm", 200, 10, "[[2, 3], [3, 4]]").Kernel("gemm", 202, 5);
  program.Kernel("gemm", 300, 1).Kernel("other", 302, 20);
  const KernelFigures figures = program.Figures();
  ASSERT_EQ(figures.rows.size(), 2U);
  const std::vector<KernelShape>& shapes = figures.rows[0].shapes;
  ASSERT_EQ(shapes.size(), 2U) << "one launch is in no operator";
  EXPECT_EQ(shapes[0].op, "aten::mm");
  EXPECT_EQ(shapes[0].inputs, "[20,30] [30,40]");
  EXPECT_EQ(shapes[0].sum_ns, 70'000);
  EXPECT_EQ(shapes[1].inputs, "[2,3] [3,4]");
  EXPECT_EQ(shapes[1].count, 2U);
  EXPECT_EQ(shapes[1].sum_ns, 15'000);
  EXPECT_TRUE(figures.rows[1].shapes.empty());
}

TEST(OpShapes, TheInnermostOperatorOfTheLaunchingThreadIsMeant) {
  Program program;
  program.Op("aten::linear", 0, 100, "[[1]]").Op("aten::mm", 10, 50, "[[2]]");
  program.Op("aten::t", 12, 5, "[[3]]").Op("aten::add", 0, 100, "[[4]]", 2);
  const KernelFigures figures = program.Kernel("gemm", 20, 10).Figures();
  ASSERT_EQ(figures.rows[0].shapes.size(), 1U);
  EXPECT_EQ(figures.rows[0].shapes[0].op, "aten::mm");
  // The innermost one without shapes is not told by the one around it.
  Program bare;
  bare.Op("aten::linear", 0, 100, "[[1]]").Op("my::op", 10, 50, "[[], []]");
  EXPECT_TRUE(bare.Kernel("gemm", 20, 10).Figures().rows[0].shapes.empty());
}

TEST(OpShapes, OnlyTheCostliestAreKept) {
  Program program;
  for (int i = 0; i < 9; ++i) {
    program.Op("aten::mm", 100 * i, 10, "[[" + std::to_string(i + 1) + "]]");
    program.Kernel("gemm", 100 * i + 1, i + 1);
  }
  const KernelFigures figures = program.Figures();
  ASSERT_EQ(figures.rows.front().shapes.size(), kMostKernelShapes);
  EXPECT_EQ(figures.rows.front().shapes[0].inputs, "[9]");
}

TEST(OpShapes, ShapesThatAreNoListsAreIgnored) {
  for (const char* dims : {"null", "7", "\"[[1]]\"", "{}", "[]", "[[]]"}) {
    Program program;
    const KernelFigures figures = program.Op("aten::mm", 0, 9, dims).Kernel("k", 1, 10).Figures();
    ASSERT_EQ(figures.rows.size(), 1U) << dims;
    EXPECT_TRUE(figures.rows[0].shapes.empty()) << dims;
  }
}

TEST(OpShapes, KeysBeforeTheCategoryAreReadToo) {
  const std::string text =
      R"([{"args":{"Input Dims":[[4,4]]},"cat":"cpu_op","dur":9,"name":"aten::mm","ph":"X","pid":1,)"
      R"("tid":1,"ts":1}])";
  const Result<Timeline> timeline = ImportKineto(*MakeMemoryStream(text), "t.json", kJsonChunk);
  ASSERT_TRUE(timeline.ok());
  ASSERT_EQ(timeline->host.inputs.size(), 1U);
  EXPECT_EQ(timeline->names.Text(timeline->host.inputs[0]), "[4,4]");
}

}  // namespace
}  // namespace gpuwhy::trace
