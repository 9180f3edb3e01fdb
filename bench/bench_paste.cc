// How fast pasted outputs are read, beside what no reader can beat: going through the bytes for the
// ends of lines.
#include <benchmark/benchmark.h>

#include <cstring>

#include "parse/paste/paste_reader.h"
#include "paste_texts.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kBytes = std::size_t{100} << 20U;

void Processed(benchmark::State& state, const std::string& text) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void Read(benchmark::State& state, const std::string& text) {
  for ([[maybe_unused]] auto step : state) {
    Pasted pasted;
    const PasteReport report = ReadPaste("bench", text, pasted);
    benchmark::DoNotOptimize(report);
  }
  Processed(state, text);
}

void BM_EndsOfLines(benchmark::State& state) {
  const std::string text = TrainingLogText(kBytes);
  for ([[maybe_unused]] auto step : state) {
    std::size_t lines = 0;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
      const void* newline = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
      if (newline == nullptr) break;
      at = static_cast<const char*>(newline) + 1;
      ++lines;
    }
    benchmark::DoNotOptimize(lines);
  }
  Processed(state, text);
}
BENCHMARK(BM_EndsOfLines)->Unit(benchmark::kMillisecond);

void BM_TrainingLog(benchmark::State& state) { Read(state, TrainingLogText(kBytes)); }
BENCHMARK(BM_TrainingLog)->Unit(benchmark::kMillisecond);

void BM_Noise(benchmark::State& state) { Read(state, NoiseText(kBytes)); }
BENCHMARK(BM_Noise)->Unit(benchmark::kMillisecond);

// Argument: devices.
void BM_SmiQuery(benchmark::State& state) {
  Read(state, SmiQueryText(static_cast<std::size_t>(state.range(0))));
}
BENCHMARK(BM_SmiQuery)->Arg(1)->Arg(8)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gpuwhy

BENCHMARK_MAIN();
