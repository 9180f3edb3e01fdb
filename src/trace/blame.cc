#include "trace/blame.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace gpuwhy::trace {
namespace {

// Files of frameworks and of Python itself, and frames that stand for no file at all.
constexpr std::array<std::string_view, 11> kForeign = {
    "<built-in",    "<string>",      "<frozen",      "nn.Module:", "torch/",     "site-packages/",
    "threading.py", "contextlib.py", "functools.py", "queue.py",   "concurrent/"};

bool IsForeign(std::string_view frame) {
  return std::any_of(kForeign.begin(), kForeign.end(),
                     [&](std::string_view part) { return Holds(frame, part); });
}

}  // namespace

std::string FrameAt(const Timeline& timeline, std::uint32_t thread, std::int64_t at) {
  const Frames& frames = timeline.frames;
  std::size_t own = frames.size();
  std::size_t any = frames.size();
  // Frames of one thread are nested: the shortest is the innermost.
  const auto take = [&](std::size_t& best, std::size_t i) {
    if (best == frames.size() ||
        frames.end[i] - frames.start[i] < frames.end[best] - frames.start[best])
      best = i;
  };
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (frames.thread[i] != thread || frames.start[i] > at || frames.end[i] <= at) continue;
    take(any, i);
    if (!IsForeign(timeline.names.Text(frames.name[i]))) take(own, i);
  }
  const std::size_t best = own < frames.size() ? own : any;
  return best < frames.size() ? std::string(timeline.names.Text(frames.name[best])) : std::string();
}

std::vector<SpanSet> FramesByThread(const Timeline& timeline) {
  std::vector<SpanSet> by_thread(timeline.threads.size());
  const Frames& frames = timeline.frames;
  for (std::size_t i = 0; i < frames.size(); ++i)
    by_thread[frames.thread[i]].push_back({frames.start[i], frames.end[i]});
  for (SpanSet& set : by_thread) set = Union(std::move(set));
  return by_thread;
}

}  // namespace gpuwhy::trace
