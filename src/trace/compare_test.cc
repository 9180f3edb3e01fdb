#include "trace/compare.h"

#include <gtest/gtest.h>

#include "trace/test_timeline.h"

namespace gpuwhy::trace {
namespace {

// steps of one second; in each a kernel of so long, launched at its start.
FileReport Steps(const std::string& kernel, std::int64_t kernel_ns, int steps) {
  TestTimeline t;
  for (int i = 0; i < steps; ++i) {
    const std::int64_t start = i * 1'000'000'000LL;
    t.Step("ProfilerStep#" + std::to_string(i), start, start + 900'000'000 + kernel_ns + i);
    t.Launch(start + 1000, start + 2000, i);
    t.Kernel(start + 3000, start + 3000 + kernel_ns + i, i, kernel);
    t.Kernel(start + 800'000'000, start + 800'000'000 + 500, -1, "common");
  }
  t.timeline.file = kernel + ".json";
  t.timeline.devices.push_back({0, "H100", 132});
  return Analyze(std::move(t.timeline), 0, Keep{true}).report;
}

const KernelShift* Find(const TraceComparison& comparison, const std::string& name) {
  for (const KernelShift& kernel : comparison.kernels) {
    if (kernel.name == name) return &kernel;
  }
  return nullptr;
}

TEST(CompareTraces, ALongerKernelIsWhatMoved) {
  const TraceComparison c =
      CompareTraces(Steps("gemm", 10'000'000, 5), Steps("gemm", 60'000'000, 6));
  EXPECT_EQ(c.step_ns.moved, Moved::kUp);
  EXPECT_NEAR(static_cast<double>(c.step_ns.by), 50e6, 10);
  ASSERT_FALSE(c.parts.empty());
  EXPECT_EQ(c.parts[0].part, Part::kCompute);
  EXPECT_EQ(c.parts[0].ns.moved, Moved::kUp);
  const KernelShift* gemm = Find(c, "gemm");
  ASSERT_NE(gemm, nullptr);
  EXPECT_EQ(gemm, &c.kernels[0]);
  EXPECT_EQ(gemm->presence, Presence::kBoth);
  EXPECT_EQ(gemm->count_before, 1);
  const KernelShift* common = Find(c, "common");
  ASSERT_NE(common, nullptr);
  EXPECT_EQ(common->ns.moved, Moved::kWithinNoise);
  EXPECT_TRUE(c.problems.empty());
  ASSERT_EQ(c.steps.size(), 6U);
  EXPECT_EQ(c.steps[0].before, "ProfilerStep#0");
  EXPECT_EQ(c.steps[5].before, "");
}

TEST(CompareTraces, ASlowFirstStepIsLeftOutAndSaid) {
  FileReport after = Steps("gemm", 60'000'000, 6);
  after.steps.steps[0].anatomy.window.end += 400'000'000;
  const TraceComparison c = CompareTraces(Steps("gemm", 90'000'000, 6), after);
  EXPECT_EQ(c.step_ns.moved, Moved::kDown);
  EXPECT_EQ(c.after.steps, 5U);
  EXPECT_EQ(Find(c, "gemm")->ns.after, 60'000'003) << "of the steps that are compared";
  ASSERT_EQ(c.problems.size(), 1U);
  EXPECT_NE(c.problems[0].find("ProfilerStep#0"), std::string::npos);
}

TEST(CompareTraces, NamesNewAndGoneKernels) {
  const TraceComparison c = CompareTraces(Steps("old", 10'000'000, 5), Steps("new", 10'000'000, 5));
  ASSERT_NE(Find(c, "old"), nullptr);
  EXPECT_EQ(Find(c, "old")->presence, Presence::kGone);
  EXPECT_EQ(Find(c, "old")->ns.moved, Moved::kDown);
  EXPECT_EQ(Find(c, "new")->presence, Presence::kNew);
  EXPECT_EQ(c.step_ns.moved, Moved::kWithinNoise);
}

TEST(CompareTraces, TooFewStepsAreSaid) {
  const TraceComparison c =
      CompareTraces(Steps("gemm", 10'000'000, 3), Steps("gemm", 60'000'000, 3));
  EXPECT_EQ(c.step_ns.moved, Moved::kCannotTell);
  ASSERT_EQ(c.problems.size(), 1U);
  EXPECT_NE(c.problems[0].find("measured steps"), std::string::npos);
}

TEST(CompareTraces, WithoutStepsTheSpanStandsForOne) {
  TestTimeline t;
  t.Kernel(0, 100, -1, "a").Kernel(200, 300, -1, "b");
  const FileReport one = Analyze(std::move(t.timeline), 0, Keep{true}).report;
  const TraceComparison c = CompareTraces(one, one);
  EXPECT_EQ(c.step_ns.before, 300);
  EXPECT_EQ(c.before.steps, 0U);
  EXPECT_EQ(c.kernels.size(), 2U);
  EXPECT_FALSE(c.problems.empty());
}

TEST(CompareTraces, OtherDevicesAndOtherWorkAreSaid) {
  FileReport before = Steps("gemm", 10'000'000, 5);
  FileReport after = Steps("gemm", 10'000'000, 5);
  after.devices[0].name = "V100";
  after.step_kernels.push_back({"more", KernelClass::kOther, std::vector<std::int64_t>(5, 10),
                                std::vector<std::int64_t>(5, 3)});
  EXPECT_EQ(CompareTraces(before, after).problems.size(), 2U);
}

}  // namespace
}  // namespace gpuwhy::trace
