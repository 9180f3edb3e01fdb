// What one line of a training log says, by its numbers and what stands before them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "parse/logs/line_numbers.h"
#include "parse/logs/log_keys.h"

namespace gpuwhy {

/// The time of one part of a step.
struct LinePhase {
  std::string_view name;  ///< into the line
  PhaseKind kind;
  double seconds;
};

/// Times in seconds. nullopt: the line does not say it.
struct LineContent {
  std::optional<double> step, data, mean_step, mean_data, iteration, rate, epoch, index, total,
      loss, grad, scale;
  std::string_view rate_unit;  ///< into the line
  std::vector<LinePhase> phases;
  std::uint64_t skipped = 0;  ///< iterations
  bool running_mean = false;
};

/// Reads lines that are alike.
class LineInterpreter {
 public:
  /// numbers: those of the line. said: what was in it is replaced; its names look into the line.
  void Read(std::string_view line, const std::vector<LineNumber>& numbers, LineContent& said);
  /// To be called before the text of the lines goes away.
  void Forget();

 private:
  /// The same few keys come in every line: the last meaning of each is kept.
  const LogKey& Meaning(std::string_view key);

  struct KnownKey {
    std::string_view key;  ///< into the text
    LogKey meaning;
  };
  std::array<KnownKey, 256> known_;
};

}  // namespace gpuwhy
