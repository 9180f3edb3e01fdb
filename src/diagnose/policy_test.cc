#include "diagnose/policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

namespace gpuwhy {
namespace {

/// Every key with a value that is not its default.
constexpr const char* kAllKeys = R"(
[ranking]
min_cost = 0.01
min_bound = 0.02
min_possible_cost = 0.03
explained = 0.04
device_idle = 0.055
[input]
starved = 0.06
metadata_part = 0.07
wait_share = 0.08
requests = 0.09
min_gain = 0.11
names = 7
distinct = 0.12
small_read = 1024
quiet_cores = 0.13
computing = 0.21
worker_busy = 0.22
io_limit_used = 0.24
[cpu]
throttled_periods = 0.14
min_delay = 0.15
clock_limit = 0.16
thread_pools = 17
others = 0.23
[trace]
share = 0.31
pageable = 0.32
dominates = 0.33
reformat = 0.34
small_grids = 0.35
blocking = 0.36
launches = 37
uneven = 0.38
[gpu]
busy = 0.21
idle = 0.22
waiting_from = 0.23
waiting_to = 0.24
memory_busy = 0.25
held_memory = 0.26
context_memory = 0.27
held_share = 0.28
low_power = 0.29
hard_work = 0.3
near_limit = 0.31
at_limit = 0.32
lowered = 0.33
stuck_clock = 0.34
thermal_margin = 0.35
thermal_seconds = 0.36
bar1_full = 0.37
path_share = 0.38
link_errors = 39
dram_busy = 40
slow_start = 41
shared_load = 42
[host]
reports = 3
steal = 0.41
kernel = 0.42
interrupts = 0.43
swap_rate = 440
swap_used = 0.45
full = 0.46
read_await = 0.47
blocked = 0.48
run_wait = 0.49
busy = 0.51
idle = 0.52
thread_busy = 0.53
[slo]
step_s = 0.4
throughput = 900
)";

std::string ErrorOf(std::string_view toml) {
  const Result<Policy> policy = ParsePolicy(toml, "site.toml");
  if (policy) return "accepted";
  return policy.error().where + " " + policy.error().message;
}

TEST(Policy, ADeepKeyIsAnErrorNotAStackOverflow) {
  std::string deep = "a";
  for (int i = 0; i < 50'000; ++i) deep += ".a";
  EXPECT_EQ(ErrorOf("\n" + deep + " = 1").find("site.toml:2:"), 0U);
  EXPECT_EQ(ErrorOf("[" + deep + "]").find("site.toml:1:"), 0U);
}

TEST(Policy, AnEndlessFileIsAnError) {
  EXPECT_NE(ErrorOf(std::string(kLargestPolicy + 1, '#')).find("65536 bytes"), std::string::npos);
}

TEST(ParsePolicy, EmptyTextGivesTheDefaults) {
  const Result<Policy> policy = ParsePolicy("# nothing\n", "site.toml");
  ASSERT_TRUE(policy.ok()) << policy.error().Text();
  EXPECT_DOUBLE_EQ(policy->ranking.min_cost, 0.05);
  EXPECT_DOUBLE_EQ(policy->ranking.explained, 0.70);
  EXPECT_FALSE(policy->slo.step_s.has_value());
}

TEST(ParsePolicy, ReadsEveryKeyIntoItsField) {
  const Result<Policy> policy = ParsePolicy(kAllKeys, "site.toml");
  ASSERT_TRUE(policy.ok()) << policy.error().Text();
  const std::vector<double> read = {policy->ranking.min_cost,
                                    policy->ranking.min_bound,
                                    policy->ranking.min_possible_cost,
                                    policy->ranking.explained,
                                    policy->ranking.device_idle,
                                    policy->input.starved,
                                    policy->input.metadata_part,
                                    policy->input.wait_share,
                                    policy->input.requests,
                                    policy->input.min_gain,
                                    policy->input.names,
                                    policy->input.distinct,
                                    policy->input.small_read,
                                    policy->input.quiet_cores,
                                    policy->input.computing,
                                    policy->input.worker_busy,
                                    policy->input.io_limit_used,
                                    policy->cpu.throttled_periods,
                                    policy->cpu.min_delay,
                                    policy->cpu.clock_limit,
                                    policy->cpu.thread_pools,
                                    policy->cpu.others,
                                    policy->trace.share,
                                    policy->trace.pageable,
                                    policy->trace.dominates,
                                    policy->trace.reformat,
                                    policy->trace.small_grids,
                                    policy->trace.blocking,
                                    policy->trace.launches,
                                    policy->trace.uneven,
                                    policy->gpu.busy,
                                    policy->gpu.idle,
                                    policy->gpu.waiting_from,
                                    policy->gpu.waiting_to,
                                    policy->gpu.memory_busy,
                                    policy->gpu.held_memory,
                                    policy->gpu.context_memory,
                                    policy->gpu.held_share,
                                    policy->gpu.low_power,
                                    policy->gpu.hard_work,
                                    policy->gpu.near_limit,
                                    policy->gpu.at_limit,
                                    policy->gpu.lowered,
                                    policy->gpu.stuck_clock,
                                    policy->gpu.thermal_margin,
                                    policy->gpu.thermal_seconds,
                                    policy->gpu.bar1_full,
                                    policy->gpu.path_share,
                                    policy->gpu.link_errors,
                                    policy->gpu.dram_busy,
                                    policy->gpu.slow_start,
                                    policy->gpu.shared_load,
                                    policy->host.reports,
                                    policy->host.steal,
                                    policy->host.kernel,
                                    policy->host.interrupts,
                                    policy->host.swap_rate,
                                    policy->host.swap_used,
                                    policy->host.full,
                                    policy->host.read_await,
                                    policy->host.blocked,
                                    policy->host.run_wait,
                                    policy->host.busy,
                                    policy->host.idle,
                                    policy->host.thread_busy,
                                    policy->slo.step_s.value_or(-1),
                                    policy->slo.throughput.value_or(-1)};
  const std::vector<double> expected = {
      0.01, 0.02, 0.03, 0.04, 0.055, 0.06, 0.07, 0.08, 0.09, 0.11, 7,    0.12, 1024, 0.13,
      0.21, 0.22, 0.24, 0.14, 0.15,  0.16, 17,   0.23, 0.31, 0.32, 0.33, 0.34, 0.35, 0.36,
      37,   0.38, 0.21, 0.22, 0.23,  0.24, 0.25, 0.26, 0.27, 0.28, 0.29, 0.3,  0.31, 0.32,
      0.33, 0.34, 0.35, 0.36, 0.37,  0.38, 39,   40,   41,   42,   3,    0.41, 0.42, 0.43,
      440,  0.45, 0.46, 0.47, 0.48,  0.49, 0.51, 0.52, 0.53, 0.4,  900};
  EXPECT_EQ(read, expected);
}

TEST(ParsePolicy, AnIntegerIsANumber) {
  const Result<Policy> policy = ParsePolicy("[ranking]\nmin_cost = 0\n", "site.toml");
  ASSERT_TRUE(policy.ok()) << policy.error().Text();
  EXPECT_DOUBLE_EQ(policy->ranking.min_cost, 0);
}

TEST(ParsePolicy, SaysWhereATypoStands) {
  EXPECT_EQ(ErrorOf("[ranking]\n  min_cots = 0.1\n"),
            "site.toml:2:3 unknown key min_cots in [ranking]");
  EXPECT_EQ(ErrorOf("[rankin]\nmin_cost = 0.1\n"), "site.toml:1:2 unknown section or key rankin");
  EXPECT_EQ(ErrorOf("[slo]\nstep_s = 1\n[cpu]\nstarved = 0.1\n"),
            "site.toml:4:1 unknown key starved in [cpu]")
      << "a key of another section";
}

TEST(ParsePolicy, RefusesWrongTypes) {
  EXPECT_EQ(ErrorOf("[ranking]\nmin_cost = \"5 %\"\n"),
            "site.toml:2:12 ranking.min_cost must be a number");
  EXPECT_EQ(ErrorOf("[ranking]\nmin_cost = true\n"),
            "site.toml:2:12 ranking.min_cost must be a number");
  EXPECT_EQ(ErrorOf("ranking = 5\n"), "site.toml:1:11 ranking must be a section: [ranking]");
  EXPECT_EQ(ErrorOf("[[slo]]\nstep_s = 1\n"), "site.toml:1:1 slo must be a section: [slo]");
}

TEST(ParsePolicy, RefusesValuesOutOfRange) {
  EXPECT_EQ(ErrorOf("[ranking]\nmin_cost = 5\n"),
            "site.toml:2:12 ranking.min_cost = 5 is out of range: it must be from 0 to 1")
      << "5 instead of 0.05";
  for (const char* text :
       {"[ranking]\nexplained = -0.1\n", "[cpu]\nmin_delay = nan\n", "[cpu]\nmin_delay = inf\n",
        "[slo]\nstep_s = 0\n", "[slo]\nthroughput = -1\n", "[slo]\nstep_s = inf\n"}) {
    EXPECT_NE(ErrorOf(text).find("is out of range"), std::string::npos) << text;
  }
}

TEST(ParsePolicy, BrokenTomlIsAnErrorWithItsPlace) {
  EXPECT_EQ(ErrorOf("[ranking\nmin_cost = 0.1\n").substr(0, 12), "site.toml:1:");
  EXPECT_NE(ErrorOf("[slo]\nstep_s = 1\nstep_s = 2\n"), "accepted") << "a key given twice";
  EXPECT_NE(ErrorOf(std::string(10000, '[')), "accepted");
  EXPECT_EQ(ErrorOf("\"a\\u001bb\" = 1\n").find('\x1b'), std::string::npos) << "shown printable";
}

TEST(PolicyDocs, NameEveryKey) {
  std::ifstream file(std::string(GPUWHY_SOURCE_DIR) + "/docs/policy.md");
  std::stringstream docs;
  docs << file.rdbuf();
  ASSERT_FALSE(PolicyKeys().empty());
  for (const std::string& key : PolicyKeys()) {
    EXPECT_NE(docs.str().find("\n| `" + key + "` |"), std::string::npos) << key;
  }
}

TEST(PolicyKeys, AreAllReadByTheTestAbove) {
  const auto lines = std::count(kAllKeys, kAllKeys + std::string_view(kAllKeys).size(), '=');
  EXPECT_EQ(PolicyKeys().size(), static_cast<std::size_t>(lines));
}

TEST(Policy, TakesNoPartOfACount) {
  const Result<Policy> policy = ParsePolicy("[input]\nnames = 2.5\n", "p.toml");
  ASSERT_FALSE(policy.ok());
  EXPECT_EQ(policy.error().Text(), "p.toml:2:9: input.names = 2.5 must be a whole number");
  EXPECT_TRUE(ParsePolicy("[input]\nnames = 3.0\n", "p.toml").ok());
}

}  // namespace
}  // namespace gpuwhy
