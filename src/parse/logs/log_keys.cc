#include "parse/logs/log_keys.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"

namespace gpuwhy {
namespace {

struct Row {
  std::string_view key;
  LogRole role;
  PhaseKind phase = PhaseKind::kOther;
};

// Sorted by key (a test holds it to that). Keys in lower case, without unit.
constexpr Row kRows[] = {
    {"avg_batch_cost", LogRole::kStepTime},
    {"avg_reader_cost", LogRole::kDataTime},
    {"backward", LogRole::kPhase, PhaseKind::kBackward},
    {"backward_time", LogRole::kPhase, PhaseKind::kBackward},
    {"batch", LogRole::kStepIndex},
    {"batch time", LogRole::kStepTime},
    {"batch_cost", LogRole::kStepTime},
    {"batch_time", LogRole::kStepTime},
    {"bch", LogRole::kStepTime},
    {"bwd", LogRole::kPhase, PhaseKind::kBackward},
    {"completed step", LogRole::kStepIndex},
    {"data", LogRole::kDataTime},
    {"data time", LogRole::kDataTime},
    {"data wait", LogRole::kDataTime},
    {"data_load_time", LogRole::kDataTime},
    {"data_loading_time", LogRole::kDataTime},
    {"data_time", LogRole::kDataTime},
    {"data_wait", LogRole::kDataTime},
    {"data_wait_time", LogRole::kDataTime},
    {"dataload", LogRole::kDataTime},
    {"dataload_time", LogRole::kDataTime},
    {"dataloader_time", LogRole::kDataTime},
    {"elapsed time per iteration", LogRole::kStepTime},
    {"epoch", LogRole::kEpochIndex},
    {"epoch time", LogRole::kEpochTime},
    {"epoch_time", LogRole::kEpochTime},
    {"fetch time", LogRole::kDataTime},
    {"fetch_time", LogRole::kDataTime},
    {"forward", LogRole::kPhase, PhaseKind::kForward},
    {"forward_time", LogRole::kPhase, PhaseKind::kForward},
    {"fp16 grad scale", LogRole::kLossScale},
    {"fps", LogRole::kRate},
    {"fwd", LogRole::kPhase, PhaseKind::kForward},
    {"global step", LogRole::kStepIndex},
    {"global_grad_norm", LogRole::kGradNorm},
    {"global_step", LogRole::kStepIndex},
    {"global_step/sec", LogRole::kRate},
    {"gnorm", LogRole::kGradNorm},
    {"grad norm", LogRole::kGradNorm},
    {"grad scale", LogRole::kLossScale},
    {"grad_norm", LogRole::kGradNorm},
    {"gradient norm", LogRole::kGradNorm},
    {"images/s", LogRole::kRate},
    {"images/sec", LogRole::kRate},
    {"images_per_sec", LogRole::kRate},
    {"images_per_second", LogRole::kRate},
    {"imgs/s", LogRole::kRate},
    {"input_time", LogRole::kDataTime},
    {"input_wait", LogRole::kDataTime},
    {"ips", LogRole::kRate},
    {"it", LogRole::kStepIndex},
    {"iter", LogRole::kStepIndex},
    {"iter time", LogRole::kIterationTime},
    {"iter_time", LogRole::kIterationTime},
    {"iteration", LogRole::kStepIndex},
    {"iteration time", LogRole::kStepTime},
    {"load time", LogRole::kDataTime},
    {"load_data_time", LogRole::kDataTime},
    {"load_time", LogRole::kDataTime},
    {"loader_time", LogRole::kDataTime},
    {"loss scale", LogRole::kLossScale},
    {"loss_scale", LogRole::kLossScale},
    {"num_updates", LogRole::kStepIndex},
    {"number of skipped iterations", LogRole::kSkipped},
    {"optim", LogRole::kPhase, PhaseKind::kOptimizer},
    {"optim_step_time", LogRole::kPhase, PhaseKind::kOptimizer},
    {"optimizer_time", LogRole::kPhase, PhaseKind::kOptimizer},
    {"reader_cost", LogRole::kDataTime},
    {"reducing loss scale to", LogRole::kLossScale},
    {"samples/s", LogRole::kRate},
    {"samples/sec", LogRole::kRate},
    {"samples_per_sec", LogRole::kRate},
    {"samples_per_second", LogRole::kRate},
    {"sec/batch", LogRole::kStepTime},
    {"sec/step", LogRole::kStepTime},
    {"seconds", LogRole::kStepTime},
    {"smp", LogRole::kDataTime},
    {"speed", LogRole::kRate},
    {"step", LogRole::kStepIndex},
    {"step time", LogRole::kStepTime},
    {"step_avg", LogRole::kStepTime},
    {"step_time", LogRole::kStepTime},
    {"this epoch took", LogRole::kEpochTime},
    {"throughput", LogRole::kRate},
    {"time", LogRole::kStepTime},
    {"time cost", LogRole::kEpochTime},
    {"time per step", LogRole::kStepTime},
    {"time taken", LogRole::kEpochTime},
    {"time/step", LogRole::kStepTime},
    {"time_per_step", LogRole::kStepTime},
    {"timing_s/step", LogRole::kStepTime},
    {"tokens/s", LogRole::kRate},
    {"tokens/s/device", LogRole::kRate},
    {"tokens/sec", LogRole::kRate},
    {"tokens_per_sec", LogRole::kRate},
    {"tokens_per_second", LogRole::kRate},
    {"train_step_time", LogRole::kStepTime},
    {"train_step_timing in s", LogRole::kStepTime},
    {"train_time", LogRole::kStepTime},
    {"wps", LogRole::kRate},
};

const Row* Find(std::string_view key) {
  const auto* row = std::lower_bound(std::begin(kRows), std::end(kRows), key,
                                     [](const Row& r, std::string_view k) { return r.key < k; });
  return row != std::end(kRows) && row->key == key ? row : nullptr;
}

bool TakeEnd(std::string_view& key, std::string_view end) {
  if (!key.ends_with(end) || key.size() == end.size()) return false;
  key.remove_suffix(end.size());
  while (key.ends_with(' ') || key.ends_with('_')) key.remove_suffix(1);
  return true;
}

/// The unit of time at the end of a key, in seconds; nullopt where it has none.
std::optional<double> TakeUnit(std::string_view& key) {
  if (TakeEnd(key, "(ms)") || TakeEnd(key, "_ms") || TakeEnd(key, "(msec)")) return 1e-3;
  if (TakeEnd(key, "(us)") || TakeEnd(key, "_us")) return 1e-6;
  if (TakeEnd(key, "(s)") || TakeEnd(key, "(sec)") || TakeEnd(key, "_sec") ||
      TakeEnd(key, "(seconds)")) {
    return 1;
  }
  return std::nullopt;
}

/// "step_ms" is no count and "load_ms" no load: with a unit of time they are times.
LogRole RoleWithUnit(std::string_view key, LogRole role) {
  if (role == LogRole::kStepIndex && key != "epoch") return LogRole::kStepTime;
  if (key == "load" || key == "loader" || key == "fetch" || key == "input") {
    return LogRole::kDataTime;
  }
  return role;
}

}  // namespace

LogKey MeaningOfKey(std::string_view printed) {
  constexpr std::size_t kLongest = 48;
  if (printed.size() > kLongest || printed.empty()) return {};
  std::array<char, kLongest> buffer{};
  std::transform(printed.begin(), printed.end(), buffer.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  std::string_view key(buffer.data(), printed.size());
  LogKey meaning;
  const std::optional<double> unit = TakeUnit(key);
  meaning.scale = unit.value_or(1);
  const Row* row = Find(key);
  if (row == nullptr && key.starts_with("timing_s/")) {
    return {LogRole::kPhase, 1, KindOfPhase(key)};
  }
  if (row == nullptr && Holds(key, "/")) {
    // "train/loss", "throughput/device/tokens_per_second": the last part names it.
    key = key.substr(key.rfind('/') + 1);
    row = Find(key);
    // A rate's unit is no path: "x/s".
    if (row != nullptr && row->role == LogRole::kDataTime) row = nullptr;
  }
  if (row != nullptr) {
    meaning.role = row->role;
    meaning.phase = row->phase;
  } else if (key.ends_with("loss") && !key.starts_with("val") && !Holds(key, "scal")) {
    meaning.role = LogRole::kLoss;
  }
  if (unit) meaning.role = RoleWithUnit(key, meaning.role);
  return meaning;
}

PhaseKind KindOfPhase(std::string_view name) {
  if (Holds(name, "all-reduce") || Holds(name, "allreduce") || Holds(name, "all-gather") ||
      Holds(name, "allgather") || Holds(name, "reduce-scatter") || Holds(name, "grads-sync")) {
    return PhaseKind::kCommunication;
  }
  if (Holds(name, "recv") || Holds(name, "-send") || Holds(name, "_send"))
    return PhaseKind::kPipeline;
  if (Holds(name, "batch-generator") || Holds(name, "data")) return PhaseKind::kInput;
  if (Holds(name, "test") || Holds(name, "val") || Holds(name, "checkpoint"))
    return PhaseKind::kEvaluation;
  if (Holds(name, "forward")) return PhaseKind::kForward;
  if (Holds(name, "backward")) return PhaseKind::kBackward;
  if (name == "step" || Holds(name, "optim")) return PhaseKind::kOptimizer;
  return PhaseKind::kOther;
}

}  // namespace gpuwhy
