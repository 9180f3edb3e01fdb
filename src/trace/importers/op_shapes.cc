#include "trace/importers/op_shapes.h"

#include "base/i18n.h"

namespace gpuwhy::trace {
namespace {

void Append(std::string& text, std::string_view tensor) {
  if (tensor.find_first_of("0123456789") == std::string_view::npos) return;
  if (!text.empty()) text += ' ';
  text += tensor;
}

}  // namespace

std::string ShapesText(std::string_view json) {
  std::string text;
  std::string tensor;  // one item of the outermost list
  int depth = 0;
  for (const char c : json) {
    const bool shape = (c >= '0' && c <= '9') || c == '-' || c == ',' || c == '[' || c == ']';
    if (!shape) continue;
    if (c == '[' && ++depth == 1) continue;
    if (c == ']' && --depth <= 0) break;
    if (c == ',' && depth == 1) {
      Append(text, tensor);
      tensor.clear();
    } else if (depth > 1 || c == ']') {
      tensor += c;
    }
    if (text.size() + tensor.size() > kLongestShapes - 4) {
      Append(text, tensor);
      return text + "...";
    }
  }
  Append(text, tensor);
  return text;
}

NameIndex OpShapes::TextOf(std::string_view json, Names& names) {
  constexpr std::size_t kMostKnown = 4096;  // training repeats hundreds
  constexpr std::size_t kLongestKnown = 256;
  if (json.size() > kLongestKnown) return names.Intern(ShapesText(json));
  key_ = json;
  const auto it = known_.find(key_);
  if (it != known_.end()) return it->second;
  const NameIndex name = names.Intern(ShapesText(json));
  if (known_.size() < kMostKnown) known_.emplace(key_, name);
  return name;
}

void OpShapes::Add(std::string_view json, Timeline& timeline) {
  if (full_) return;
  const NameIndex name = TextOf(json, timeline.names);
  if (name == 0) return;
  full_ = seen_.insert(name).second && seen_.size() >= kMostShapes;
  HostEvents& host = timeline.host;
  host.inputs.resize(host.size());
  host.inputs.back() = name;
}

void OpShapes::Finish(Timeline& timeline) const {
  HostEvents& host = timeline.host;
  if (!host.inputs.empty()) host.inputs.resize(host.size());
  if (!full_) return;
  timeline.problems.push_back(Format(
      _("its operators have {} different shapes of inputs or more: the later ones are left out"),
      kMostShapes));
}

}  // namespace gpuwhy::trace
