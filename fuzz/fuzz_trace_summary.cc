// Summaries of ranks: what is read is compared as if all were ranks of one job, and written again.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "trace/cross_rank.h"
#include "trace/summary_file.h"

using gpuwhy::trace::Analysis;
using gpuwhy::trace::RankSummary;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const gpuwhy::Result<std::vector<Analysis>> ranks =
      gpuwhy::trace::ReadSummary({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!ranks) return 0;
  std::vector<RankSummary> summaries;
  for (const Analysis& rank : *ranks) summaries.push_back(rank.summary);
  (void)gpuwhy::trace::CompareRanks(summaries);
  if (!gpuwhy::trace::ReadSummary(gpuwhy::trace::WriteSummary(*ranks, "fuzz"), "again"))
    __builtin_trap();
  return 0;
}
