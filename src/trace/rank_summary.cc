#include "trace/rank_summary.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "trace/collective.h"
#include "trace/figures.h"
#include "trace/intervals.h"

namespace gpuwhy::trace {
namespace {

// Bytes an element of Kineto's dtype takes; 0 for what is not known.
std::int64_t ElementSize(std::string_view dtype) {
  struct Size {
    std::string_view name;
    std::int64_t bytes;
  };
  constexpr std::array<Size, 12> kSizes = {{{"Float", 4},
                                            {"Half", 2},
                                            {"BFloat16", 2},
                                            {"Double", 8},
                                            {"Int", 4},
                                            {"Long", 8},
                                            {"Byte", 1},
                                            {"Char", 1},
                                            {"Bool", 1},
                                            {"Short", 2},
                                            {"Float8_e4m3fn", 1},
                                            {"Float8_e5m2", 1}}};
  const auto* it =
      std::find_if(kSizes.begin(), kSizes.end(), [&](const Size& s) { return s.name == dtype; });
  return it == kSizes.end() ? 0 : it->bytes;
}

// What lies before the first measured step is start-up. After the last one may come what was
// launched in it, unless the profile goes on.
Span Measured(const StepList& steps) {
  Span window = MeasuredWindow(steps);
  if (!steps.steps.empty() && steps.steps.back().use == StepUse::kMeasured) window.end = INT64_MAX;
  return window;
}

void AddSteps(const StepList& steps, RankSummary& summary) {
  Parts parts{};
  std::int64_t length = 0;
  for (const Step& step : steps.steps) {
    if (step.use != StepUse::kMeasured) continue;
    for (std::size_t i = 0; i < kParts; ++i) parts[i] += step.anatomy.parts[i];
    length += step.anatomy.window.Length();
  }
  if (length <= 0) return;
  summary.parts = parts;
  summary.span_ns = length;
}

// A text's place in a rank's list of texts.
class Texts {
 public:
  Texts(const Names& names, std::vector<std::string>& texts) : names_(names), texts_(texts) {}
  std::uint32_t PlaceOf(NameIndex name) {
    if (name == 0) return 0;
    const auto [it, added] = places_.try_emplace(name, static_cast<std::uint32_t>(texts_.size()));
    if (added) texts_.emplace_back(names_.Text(name));
    return it->second;
  }

 private:
  const Names& names_;
  std::vector<std::string>& texts_;
  std::map<NameIndex, std::uint32_t> places_;
};

// Who sends or receives early waits at the beginning: the transfer itself is the shortest of its
// kind and size.
class Messages {
 public:
  void Add(const CollectiveCall& call) {
    alike_[{call.kind, call.group, call.bytes}].push_back({call.start, call.end});
  }
  [[nodiscard]] std::int64_t WaitedWithout(const SpanSet& compute) && {
    constexpr std::size_t kFewest = 3;
    std::vector<Span> waits;
    for (const auto& [key, calls] : alike_) {
      if (calls.size() < kFewest) continue;
      const auto shortest =
          std::min_element(calls.begin(), calls.end(),
                           [](const Span& a, const Span& b) { return a.Length() < b.Length(); });
      for (const Span& call : calls) waits.push_back({call.start, call.end - shortest->Length()});
    }
    return Length(Minus(Union(std::move(waits)), compute));
  }
  [[nodiscard]] bool Empty() const { return alike_.empty(); }

 private:
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>, std::vector<Span>> alike_;
};

CollectiveCall CallOf(const Timeline& timeline, std::size_t event, Texts& texts) {
  const DeviceEvents& device = timeline.device;
  const KernelDetail& detail = timeline.kernel_details[device.detail[event]];
  CollectiveCall call;
  call.group = texts.PlaceOf(detail.group);
  call.kind = texts.PlaceOf(detail.collective != 0 ? detail.collective : device.name[event]);
  call.group_size = detail.group_size;
  call.start = device.start[event];
  call.end = device.end[event];
  const std::int64_t size = ElementSize(timeline.names.Text(detail.dtype));
  constexpr std::int64_t kMost = std::int64_t{1} << 50U;
  if (detail.in_elements > 0 && detail.in_elements < kMost) call.bytes = detail.in_elements * size;
  if (detail.out_elements > 0 && detail.out_elements < kMost)
    call.out_bytes = detail.out_elements * size;
  return call;
}

// The collectives and messages of the device, in order of start.
void AddCalls(const Timeline& timeline, Span measured, RankSummary& summary) {
  const DeviceEvents& device = timeline.device;
  Texts texts(timeline.names, summary.texts);
  Messages messages;
  std::vector<bool> is_message;  // by text
  for (std::size_t i = 0; i < device.size(); ++i) {
    if (device.work[i] != Work::kComm) continue;
    CollectiveCall call = CallOf(timeline, i, texts);
    call.measured = call.start >= measured.start && call.start < measured.end;
    while (is_message.size() < summary.texts.size())
      is_message.push_back(IsPointToPoint(CollectiveKindOf(summary.texts[is_message.size()])));
    if (!is_message[call.kind]) {
      summary.collectives.push_back(call);
    } else if (call.measured) {
      messages.Add(call);
    }
  }
  std::stable_sort(
      summary.collectives.begin(), summary.collectives.end(),
      [](const CollectiveCall& a, const CollectiveCall& b) { return a.start < b.start; });
  if (messages.Empty()) return;
  const WorkSets sets = SetsOf(timeline, nullptr);
  summary.pipeline_ns =
      std::move(messages).WaitedWithout(sets.by_work[static_cast<std::size_t>(Work::kCompute)]);
}

}  // namespace

RankSummary Summarize(const Timeline& timeline, const Parts& whole, const StepList& steps,
                      std::int64_t rank) {
  RankSummary summary;
  summary.file = timeline.file;
  summary.rank = timeline.rank >= 0 ? timeline.rank : rank;
  summary.base_known = timeline.base_known;
  summary.base_ns = timeline.base_ns;
  summary.parts = whole;
  const DeviceEvents& device = timeline.device;
  const Span window = Measured(steps);
  std::int64_t first = INT64_MAX;
  std::int64_t last = INT64_MIN;
  for (std::size_t i = 0; i < device.size(); ++i) {
    first = std::min(first, device.start[i]);
    last = std::max(last, device.end[i]);
    const bool measured = device.start[i] >= window.start && device.start[i] < window.end;
    if (device.work[i] == Work::kCompute && measured) {
      summary.compute_sum_ns += device.end[i] - device.start[i];
      ++summary.compute_kernels;
    }
  }
  AddCalls(timeline, window, summary);
  if (first <= last) summary.span_ns = last - first;
  AddSteps(steps, summary);
  return summary;
}

}  // namespace gpuwhy::trace
