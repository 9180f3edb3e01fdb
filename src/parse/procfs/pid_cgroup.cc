#include "parse/procfs/pid_cgroup.h"

#include <optional>

#include "base/text.h"

namespace gpuwhy {
namespace {

Reading<std::uint64_t> Number(std::string_view text, std::string_view name) {
  if (const std::optional<std::uint64_t> value = ParseNumber<std::uint64_t>(Trim(text)))
    return *value;
  return {Why::kFailed, std::string(name)};
}

}  // namespace

bool CgroupLine::Has(std::string_view controller) const {
  std::string_view rest = controllers;
  while (!rest.empty()) {
    if (NextToken(rest, ',') == controller) return true;
  }
  return false;
}

std::vector<CgroupLine> ParsePidCgroup(std::string_view text) {
  std::vector<CgroupLine> lines;
  while (!text.empty()) {
    std::string_view line = NextToken(text, '\n');
    const std::string_view id = NextToken(line, ':');
    if (!ParseNumber<std::uint32_t>(id)) continue;
    // A named hierarchy may hold no ':', a path may: only the first two separate.
    const std::string_view controllers = NextToken(line, ':');
    if (line.empty() || line.front() != '/') continue;
    lines.push_back({std::string(controllers), std::string(line)});
  }
  return lines;
}

CgroupCpuStat ParseCgroupCpuStat(std::string_view text) {
  CgroupCpuStat stat;
  stat.periods = Missing{Why::kNotPresent, "nr_periods"};
  stat.throttled_periods = Missing{Why::kNotPresent, "nr_throttled"};
  stat.throttled_us = Missing{Why::kNotPresent, "throttled_usec"};
  stat.usage_us = Missing{Why::kNotPresent, "usage_usec"};
  while (!text.empty()) {
    std::string_view line = NextLine(text);
    const std::string_view key = NextToken(line, ' ');
    if (key == "nr_periods") {
      stat.periods = Number(line, key);
    } else if (key == "nr_throttled") {
      stat.throttled_periods = Number(line, key);
    } else if (key == "throttled_usec") {
      stat.throttled_us = Number(line, key);
    } else if (key == "throttled_time") {  // version 1: nanoseconds
      const Reading<std::uint64_t> ns = Number(line, key);
      stat.throttled_us = ns ? Reading<std::uint64_t>(*ns / 1000) : ns;
    } else if (key == "usage_usec") {
      stat.usage_us = Number(line, key);
    }
  }
  return stat;
}

CpuQuota ParseCpuMax(std::string_view text) {
  text = Trim(text);
  const std::string_view quota = NextToken(text, ' ');
  CpuQuota out;
  out.quota_us = quota == "max" ? Missing{Why::kNotPresent, "cpu.max"} : Number(quota, "cpu.max");
  out.period_us = Number(text, "cpu.max");
  return out;
}

CpuQuota ParseCfsQuota(std::string_view quota, std::string_view period) {
  CpuQuota out;
  out.quota_us = Trim(quota) == "-1" ? Missing{Why::kNotPresent, "cpu.cfs_quota_us"}
                                     : Number(quota, "cpu.cfs_quota_us");
  out.period_us = Number(period, "cpu.cfs_period_us");
  return out;
}

}  // namespace gpuwhy
