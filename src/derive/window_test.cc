#include "derive/window.h"

#include <gtest/gtest.h>

#include "capture/recent.h"

namespace gpuwhy {
namespace {

constexpr MonoTime At(int seconds) { return {std::chrono::seconds(seconds)}; }

Capture RunOf(int focused, int ended) {
  Capture capture;
  capture.run.started = At(0);
  capture.run.focused = At(focused);
  capture.run.ended = At(ended);
  return capture;
}

TEST(DiagnosedWindow, BeginsWhereTheJobWasChosen) {
  const Scope window = DiagnosedWindow(RunOf(3, 10));
  EXPECT_EQ(window.from, At(3));
  EXPECT_EQ(window.to, At(10));
}

TEST(DiagnosedWindow, OfALongRunIsItsEnd) {
  const Scope window = DiagnosedWindow(RunOf(3, 4000));
  EXPECT_EQ(window.to, At(4000));
  EXPECT_EQ(window.to - window.from, kMostDiagnosed);
}

TEST(DiagnosedWindow, WithoutAnEndGoesToTheLastSample) {
  Capture cut = RunOf(3, 0);
  CpuSample sample;
  sample.at = At(700);
  cut.cpu = {sample};
  const Scope window = DiagnosedWindow(cut);
  EXPECT_EQ(window.to, At(700));
  EXPECT_EQ(window.to - window.from, kMostDiagnosed);
}

}  // namespace
}  // namespace gpuwhy
