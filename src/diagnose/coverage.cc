#include "diagnose/coverage.h"

#include <algorithm>
#include <iterator>

#include "diagnose/explain.h"

namespace gpuwhy {
namespace {

#include "coverage_table.inc"

}  // namespace

std::span<const CoverageRow> AllCoverage() { return kCoverage; }

const CoverageRow* FindCoverage(std::string_view id) {
  const auto* row = std::lower_bound(
      std::begin(kCoverage), std::end(kCoverage), id,
      [](const CoverageRow& one, std::string_view wanted) { return one.id < wanted; });
  return row != std::end(kCoverage) && row->id == id ? row : nullptr;
}

bool IsDelivered(const CoverageRow& row) {
  return HasRule(row.id) && !row.fires.empty() && !row.near_misses.empty();
}

bool FiresFrom(const CoverageRow& row, EvidenceSource source) {
  return std::any_of(row.fires.begin(), row.fires.end(),
                     [&](const CoverageCase& one) { return one.source == source; });
}

std::string_view Name(EvidenceSource source) {
  switch (source) {
    case EvidenceSource::kLive:
      return "live";
    case EvidenceSource::kPasted:
      return "pasted";
    case EvidenceSource::kTrace:
      return "trace";
  }
  return {};
}

}  // namespace gpuwhy
