#include "trace/importers/kineto_pairs.h"

#include <array>
#include <utility>

namespace gpuwhy::trace {
namespace {

constexpr std::size_t kMaxOpen = 1'000'000;

std::array<std::string_view*, 9> TextsOf(RawEvent& e) {
  return {&e.category, &e.name,  &e.pid,   &e.tid,    &e.collective,
          &e.group,    &e.dtype, &e.label, &e.details};
}

}  // namespace

std::string KinetoPairs::Key(const RawEvent& event) {
  std::string key(event.pid);
  key += '\n';
  key.append(event.tid);
  return key;
}

KinetoPairs::Held KinetoPairs::Hold(const RawEvent& event) {
  Held held{event, std::make_unique<std::string>()};
  for (const std::string_view* text : TextsOf(held.event)) held.text->append(*text);
  std::size_t at = 0;
  for (std::string_view* text : TextsOf(held.event)) {
    *text = std::string_view(*held.text).substr(at, text->size());
    at += text->size();
  }
  return held;
}

bool KinetoPairs::Begin(const RawEvent& event) {
  if (open_ >= kMaxOpen) return false;
  threads_[Key(event)].push_back(Hold(event));
  ++open_;
  return true;
}

bool KinetoPairs::End(RawEvent& event) {
  const auto it = threads_.find(Key(event));
  if (it == threads_.end() || it->second.empty()) return false;
  last_ = std::move(it->second.back());
  it->second.pop_back();
  --open_;
  RawEvent whole = last_.event;
  if (whole.start_ns && event.start_ns) whole.duration_ns = *event.start_ns - *whole.start_ns;
  event = whole;
  return true;
}

}  // namespace gpuwhy::trace
