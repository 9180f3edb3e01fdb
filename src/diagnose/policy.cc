#include "diagnose/policy.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include <toml++/toml.h>

#include "base/i18n.h"
#include "base/text.h"

namespace gpuwhy {
namespace {

constexpr double kAny = std::numeric_limits<double>::max();

using Target = std::variant<double*, std::optional<double>*>;

/// One key: where it goes, and which values make sense. low and high are allowed themselves, but
/// for `positive`, which leaves out 0.
struct Key {
  std::string_view section, name;
  Target target;
  double low = 0, high = 1;
  bool positive = false;
  bool whole = false;  ///< a count
};

std::vector<Key> KeysOfGpu(GpuPolicy& gpu) {
  return {
      {"gpu", "busy", &gpu.busy, 0, 100},
      {"gpu", "idle", &gpu.idle, 0, 100},
      {"gpu", "waiting_from", &gpu.waiting_from, 0, 100},
      {"gpu", "waiting_to", &gpu.waiting_to, 0, 100},
      {"gpu", "memory_busy", &gpu.memory_busy, 0, 100},
      {"gpu", "held_memory", &gpu.held_memory, 0, 1e9},
      {"gpu", "context_memory", &gpu.context_memory, 0, 1e9},
      {"gpu", "held_share", &gpu.held_share, 0, 1},
      {"gpu", "low_power", &gpu.low_power, 0, 1},
      {"gpu", "hard_work", &gpu.hard_work, 0, 1},
      {"gpu", "near_limit", &gpu.near_limit, 0, 1},
      {"gpu", "at_limit", &gpu.at_limit, 0, 1},
      {"gpu", "lowered", &gpu.lowered, 0, 1},
      {"gpu", "stuck_clock", &gpu.stuck_clock, 0, 1},
      {"gpu", "thermal_margin", &gpu.thermal_margin, 0, 100},
      {"gpu", "thermal_seconds", &gpu.thermal_seconds, 0, 1e9},
      {"gpu", "bar1_full", &gpu.bar1_full, 0, 1},
      {"gpu", "path_share", &gpu.path_share, 0, 1},
      {"gpu", "link_errors", &gpu.link_errors, 0, 1e9},
      {"gpu", "dram_busy", &gpu.dram_busy, 0, 100},
      {"gpu", "slow_start", &gpu.slow_start, 0, 1e6},
      {"gpu", "shared_load", &gpu.shared_load, 0, 100},
  };
}

std::vector<Key> KeysOfHost(HostPolicy& host) {
  return {
      {"host", "reports", &host.reports, 1, 1e6},
      {"host", "steal", &host.steal},
      {"host", "kernel", &host.kernel},
      {"host", "interrupts", &host.interrupts},
      {"host", "swap_rate", &host.swap_rate, 0, 1e12},
      {"host", "swap_used", &host.swap_used},
      {"host", "full", &host.full},
      {"host", "read_await", &host.read_await, 0, 1e3},
      {"host", "blocked", &host.blocked},
      {"host", "run_wait", &host.run_wait},
      {"host", "busy", &host.busy},
      {"host", "idle", &host.idle},
      {"host", "thread_busy", &host.thread_busy},
  };
}

/// Every key there is. docs/policy.md explains each; a test compares the two.
std::vector<Key> KeysOf(Policy& policy) {
  RankingPolicy& ranking = policy.ranking;
  InputPolicy& input = policy.input;
  TracePolicy& trace = policy.trace;
  std::vector<Key> keys = {
      {"ranking", "min_cost", &ranking.min_cost},
      {"ranking", "min_bound", &ranking.min_bound},
      {"ranking", "min_possible_cost", &ranking.min_possible_cost},
      {"ranking", "explained", &ranking.explained},
      {"ranking", "device_idle", &ranking.device_idle},
      {"input", "starved", &input.starved},
      {"input", "metadata_part", &input.metadata_part},
      {"input", "computing", &input.computing},
      {"input", "worker_busy", &input.worker_busy},
      {"input", "io_limit_used", &input.io_limit_used},
      {"input", "wait_share", &input.wait_share},
      {"input", "requests", &input.requests},
      {"input", "min_gain", &input.min_gain},
      {"input", "names", &input.names, 1, 1e6, false, true},
      {"input", "distinct", &input.distinct},
      {"input", "small_read", &input.small_read, 0, 1e12},
      {"input", "quiet_cores", &input.quiet_cores, 0, 1e6},
      {"cpu", "throttled_periods", &policy.cpu.throttled_periods},
      {"cpu", "others", &policy.cpu.others, 0, 1e6},
      {"cpu", "min_delay", &policy.cpu.min_delay},
      {"cpu", "clock_limit", &policy.cpu.clock_limit},
      {"cpu", "thread_pools", &policy.cpu.thread_pools, 1, 1e6},
      {"trace", "share", &trace.share},
      {"trace", "pageable", &trace.pageable},
      {"trace", "dominates", &trace.dominates},
      {"trace", "reformat", &trace.reformat},
      {"trace", "small_grids", &trace.small_grids},
      {"trace", "blocking", &trace.blocking},
      {"trace", "launches", &trace.launches, 1, 1e9, false, true},
      {"trace", "uneven", &trace.uneven},
      {"slo", "step_s", &policy.slo.step_s, 0, kAny, true},
      {"slo", "throughput", &policy.slo.throughput, 0, kAny, true},
  };
  for (std::vector<Key> more : {KeysOfGpu(policy.gpu), KeysOfHost(policy.host)})
    keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

std::string Where(const std::string& path, const toml::source_position& at) {
  return fmt::format("{}:{}:{}", path, at.line, at.column);
}

Error Fault(const std::string& path, const toml::source_region& at, std::string message) {
  return Error{std::move(message), Where(path, at.begin)};
}

std::string RangeText(const Key& key) {
  if (key.positive) return _("it must be larger than 0");
  return Format(_("it must be from {} to {}"), key.low, key.high);
}

Status Assign(const Key& key, const toml::node& node, const std::string& path) {
  const std::string name = fmt::format("{}.{}", key.section, key.name);
  // An integer is a number too: "min_cost = 0".
  const std::optional<double> value = node.value<double>();
  if (!node.is_number() || !value) {
    return Fault(path, node.source(), Format(_("{} must be a number"), name));
  }
  if (key.whole && std::trunc(*value) != *value) {
    return Fault(path, node.source(), Format(_("{} = {} must be a whole number"), name, *value));
  }
  const bool fits = std::isfinite(*value) && *value >= key.low && *value <= key.high &&
                    !(key.positive && *value == 0);
  if (!fits) {
    return Fault(path, node.source(),
                 Format(_("{} = {} is out of range: {}"), name, *value, RangeText(key)));
  }
  std::visit([&](auto* target) { *target = *value; }, key.target);
  return Done{};
}

Status ReadSection(std::string_view section, const toml::table& table, const std::vector<Key>& keys,
                   const std::string& path) {
  for (const auto& [name, node] : table) {
    const Key* known = nullptr;
    for (const Key& key : keys) {
      if (key.section == section && key.name == name.str()) known = &key;
    }
    if (known == nullptr) {
      return Fault(path, name.source(),
                   Format(_("unknown key {} in [{}]"), Printable(name.str()), section));
    }
    if (Status status = Assign(*known, node, path); !status) return status;
  }
  return Done{};
}

Status ReadRoot(const toml::table& root, const std::vector<Key>& keys, const std::string& path) {
  for (const auto& [name, node] : root) {
    bool known = false;
    for (const Key& key : keys) known = known || key.section == name.str();
    if (!known) {
      return Fault(path, name.source(),
                   Format(_("unknown section or key {}"), Printable(name.str())));
    }
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      return Fault(path, node.source(),
                   Format(_("{} must be a section: [{}]"), name.str(), name.str()));
    }
    if (Status status = ReadSection(name.str(), *table, keys, path); !status) return status;
  }
  return Done{};
}

/// The parser makes a table within a table for each dot of a key, and takes them apart again one
/// call deep in the other: 50,000 dots are a stack overflow. A recording brings its policy with it,
/// so that anybody may have written it.
Status CheckSize(std::string_view toml, const std::string& path) {
  constexpr std::size_t kMostDots = 4096;  // numbers and comments have some
  std::size_t dots = 0;
  toml::source_position at{1, 1};
  for (const char one : toml) {
    if (one == '.' && ++dots > kMostDots) {
      return Error{_("too many dots for a policy"), Where(path, at)};
    }
    ++at.column;
    if (one == '\n') at = {at.line + 1, 1};
  }
  if (toml.size() > kLargestPolicy) {
    return Error{Format(_("longer than a policy may be ({} bytes)"), kLargestPolicy),
                 Where(path, at)};
  }
  return Done{};
}

}  // namespace

Result<Policy> ParsePolicy(std::string_view toml, const std::string& path) {
  if (Status status = CheckSize(toml, path); !status) return status.error();
  Policy policy;
  const std::vector<Key> keys = KeysOf(policy);
  try {
    const toml::table root = toml::parse(toml, std::string_view(path));
    if (Status status = ReadRoot(root, keys, path); !status) return status.error();
  } catch (const toml::parse_error& error) {
    // The parser quotes what it choked on.
    return Error{Printable(error.description()), Where(path, error.source().begin)};
  }
  return policy;
}

std::vector<std::string> PolicyKeys() {
  Policy unused;
  std::vector<std::string> names;
  for (const Key& key : KeysOf(unused))
    names.push_back(fmt::format("{}.{}", key.section, key.name));
  return names;
}

}  // namespace gpuwhy
