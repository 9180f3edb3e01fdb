// Which findings this build delivers: where each is made, and which inputs of tests/ show that it
// is found and that a near miss is not. Generated from those files, so that it can't say more than
// they hold.
#pragma once

#include <span>
#include <string_view>

namespace gpuwhy {

enum class EvidenceSource : unsigned char {
  kLive,    ///< a job that ran while gpuwhy watched, or a recording of one
  kPasted,  ///< outputs of other tools, logs
  kTrace    ///< a profiler trace
};

/// An input that gpuwhy is run on as a whole.
struct CoverageCase {
  std::string_view name;  ///< path of its folder or file in tests/
  EvidenceSource source;
};

struct CoverageRow {
  std::string_view id;
  std::span<const std::string_view> rule_files;  ///< paths in src/diagnose/rules/
  std::span<const CoverageCase> fires;           ///< inputs on which it is found
  std::span<const CoverageCase> near_misses;     ///< inputs that look like it, where it is not
};

/// One row a finding of the catalogue, by id.
[[nodiscard]] std::span<const CoverageRow> AllCoverage();
/// nullptr for an id that is not in the table.
[[nodiscard]] const CoverageRow* FindCoverage(std::string_view id);
/// A rule makes it, one input at least shows it, and one that it is not claimed lightly.
[[nodiscard]] bool IsDelivered(const CoverageRow& row);
/// Whether a case that fires is of this source.
[[nodiscard]] bool FiresFrom(const CoverageRow& row, EvidenceSource source);
[[nodiscard]] std::string_view Name(EvidenceSource source);

}  // namespace gpuwhy
