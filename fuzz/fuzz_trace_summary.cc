// Summaries of ranks: what is read is compared as if all were ranks of one job, judged, told as
// text and as JSON, and written again.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "derive/trace_facts.h"
#include "diagnose/diagnose.h"
#include "report/trace_json.h"
#include "report/trace_text.h"
#include "trace/cross_rank.h"
#include "trace/summary_file.h"

using gpuwhy::trace::Analysis;
using gpuwhy::trace::RankSummary;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const gpuwhy::Result<std::vector<Analysis>> ranks =
      gpuwhy::trace::ReadSummary({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!ranks) return 0;
  gpuwhy::trace::TraceReport report;
  std::vector<RankSummary> summaries;
  for (const Analysis& rank : *ranks) {
    summaries.push_back(rank.summary);
    report.files.push_back(rank.report);
  }
  report.ranks = gpuwhy::trace::CompareRanks(summaries);
  const gpuwhy::Diagnosis diagnosis =
      gpuwhy::Diagnose(gpuwhy::DeriveTrace(report), gpuwhy::Policy{});
  (void)gpuwhy::RenderTraceText(report, diagnosis, {});
  (void)gpuwhy::RenderTraceJson(report, diagnosis);
  if (!gpuwhy::trace::ReadSummary(gpuwhy::trace::WriteSummary(*ranks, "fuzz"), "again"))
    __builtin_trap();
  return 0;
}
