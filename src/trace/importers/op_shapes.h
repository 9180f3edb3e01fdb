// The shapes of the inputs that operators were called with, as texts.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "trace/timeline.h"

namespace gpuwhy::trace {

/// "[[64, 3], [], [[2], [3]]]" -> "[64,3] [[2],[3]]": each tensor or list of tensors, scalars left
/// out. At most kLongestShapes bytes and "..." where it was cut. Whatever is no shape gives "".
[[nodiscard]] std::string ShapesText(std::string_view json);
inline constexpr std::size_t kLongestShapes = 160;

/// Different texts that are kept.
inline constexpr std::size_t kMostShapes = std::size_t{1} << 16U;

/// Collects while a file is read.
class OpShapes {
 public:
  /// To the last of the host's events. json: the shapes as they stand in the file.
  void Add(std::string_view json, Timeline& timeline);
  /// Says what was left out.
  void Finish(Timeline& timeline) const;

 private:
  NameIndex TextOf(std::string_view json, Names& names);

  std::unordered_map<std::string, NameIndex> known_;  // by JSON: most calls repeat earlier ones
  std::string key_;
  std::unordered_set<NameIndex> seen_;
  bool full_ = false;
};

}  // namespace gpuwhy::trace
