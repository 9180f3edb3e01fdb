// What a recording costs: speed of the codec, and bytes per thread sample.
#include <benchmark/benchmark.h>

#include "capture/codec.h"
#include "capture/test_captures.h"

namespace gpuwhy {
namespace {

constexpr std::uint32_t kThreads = 64;
constexpr double kLooksPerSecond = 20;

// Argument: looks in one part; 20 are one second.
void BM_EncodePart(benchmark::State& state) {
  const Capture part =
      JobCapture(kThreads, static_cast<std::uint32_t>(state.range(0)), kLooksPerSecond);
  std::size_t bytes = 0;
  for ([[maybe_unused]] auto step : state) {
    const std::string encoded = EncodePart(part, {1, 1});
    bytes = encoded.size();
    benchmark::DoNotOptimize(encoded.data());
  }
  const auto samples = static_cast<double>(part.thread_samples.size());
  state.SetBytesProcessed(
      state.iterations() *
      static_cast<std::int64_t>(part.thread_samples.size() * sizeof(ThreadSample)));
  state.counters["bytes_per_sample"] = static_cast<double>(bytes) / samples;
  state.counters["time_per_sample"] = benchmark::Counter(
      samples, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(BM_EncodePart)->Arg(20)->Arg(200)->Arg(1200);

void BM_Decode(benchmark::State& state) {
  const Capture part =
      JobCapture(kThreads, static_cast<std::uint32_t>(state.range(0)), kLooksPerSecond);
  const std::string bytes = EncodeAll(part, "");
  for ([[maybe_unused]] auto step : state) {
    const Result<DecodedRecording> decoded = DecodeRecording(bytes, "bench");
    if (!decoded.ok()) state.SkipWithError("not decoded");
    benchmark::DoNotOptimize(decoded);
  }
  state.SetBytesProcessed(
      state.iterations() *
      static_cast<std::int64_t>(part.thread_samples.size() * sizeof(ThreadSample)));
}
BENCHMARK(BM_Decode)->Arg(20)->Arg(1200);

}  // namespace
}  // namespace gpuwhy

BENCHMARK_MAIN();
