// The place in the program behind a wait: its innermost function of the program's own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/intervals.h"
#include "trace/timeline.h"

namespace gpuwhy::trace {

/// What the thread was in at that time, by recorded stacks ("train.py(45): step"): the innermost
/// function outside of the framework and the interpreter's library, else the innermost. Empty:
/// nothing was recorded there.
[[nodiscard]] std::string FrameAt(const Timeline& timeline, std::uint32_t thread, std::int64_t at);

/// By thread of the timeline, where FrameAt has an answer.
[[nodiscard]] std::vector<SpanSet> FramesByThread(const Timeline& timeline);

}  // namespace gpuwhy::trace
