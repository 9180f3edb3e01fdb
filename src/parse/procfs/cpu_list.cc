#include "parse/procfs/cpu_list.h"

#include <optional>

#include "base/i18n.h"
#include "base/text.h"

namespace gpuwhy {
namespace {

// Far above any machine's (the kernel is built for 8192 at most); keeps counts from overflowing.
constexpr std::uint32_t kMaxCpu = 1U << 20U;

std::optional<CpuRange> ReadRange(std::string_view text) {
  const bool single = text.find('-') == std::string_view::npos;
  const std::string_view first_text = NextToken(text, '-');
  const std::optional<std::uint32_t> first = ParseNumber<std::uint32_t>(first_text);
  const std::optional<std::uint32_t> last = single ? first : ParseNumber<std::uint32_t>(text);
  if (!first || !last || *last < *first || *last > kMaxCpu) return std::nullopt;
  return CpuRange{*first, *last};
}

}  // namespace

Result<std::vector<CpuRange>> ParseCpuList(std::string_view text) {
  std::string_view rest = Trim(text);
  std::vector<CpuRange> ranges;
  while (!rest.empty()) {
    const std::optional<CpuRange> range = ReadRange(NextToken(rest, ','));
    const bool ascending = range && (ranges.empty() || ranges.back().last < range->first);
    if (!ascending) return Error{_("is not a list of CPUs"), "", 0};
    ranges.push_back(*range);
  }
  return ranges;
}

std::uint32_t CountCpus(const std::vector<CpuRange>& ranges) {
  std::uint32_t count = 0;
  for (const CpuRange& range : ranges) count += range.last - range.first + 1;
  return count;
}

}  // namespace gpuwhy
