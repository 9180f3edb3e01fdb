#include "parse/paste/quantity.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <string>
#include <utility>

#include "base/text.h"

namespace gpuwhy {
namespace {

bool IsAny(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::string_view WithoutBrackets(std::string_view text) {
  text = Trim(text);
  if (text.size() > 2 && text.front() == '[' && text.back() == ']') {
    text = Trim(text.substr(1, text.size() - 2));
  }
  return text;
}

bool IsAbsent(std::string_view text) {
  return IsAny(text, {"N/A", "-", "", "Not Supported", "NotSupported", "n/a", "Unknown",
                      "Requested functionality has been deprecated"});
}

struct Scale {
  std::string_view unit;
  double factor;
};
constexpr double kKi = 1024;
constexpr Scale kBytes[] = {{"MiB", 1},   {"", 1},   {"KiB", 1 / kKi},
                            {"GiB", kKi}, {"MB", 1}, {"B", 1 / kKi / kKi}};
constexpr Scale kHertz[] = {{"MHz", 1}, {"", 1}, {"GHz", 1e3}};
constexpr Scale kByteRates[] = {{"MB/s", 1e6}, {"KB/s", 1e3}, {"GB/s", 1e9}, {"", 1e6}, {"B/s", 1}};
constexpr Scale kSeconds[] = {{"us", 1e-6}, {"ns", 1e-9}, {"ms", 1e-3}, {"s", 1}, {"", 1e-6}};
constexpr Scale kShares[] = {{"%", 1}, {"", 1}};
constexpr Scale kWatts[] = {{"W", 1}, {"", 1}, {"mW", 1e-3}};
constexpr Scale kCelsius[] = {{"C", 1}, {"", 1}};
constexpr Scale kCounts[] = {{"", 1}, {"x", 1}, {"us", 1}};

std::span<const Scale> ScalesOf(Dimension dimension) {
  switch (dimension) {
    case Dimension::kBytes:
      return kBytes;
    case Dimension::kHertz:
      return kHertz;
    case Dimension::kByteRate:
      return kByteRates;
    case Dimension::kSeconds:
      return kSeconds;
    case Dimension::kShare:
      return kShares;
    case Dimension::kWatts:
      return kWatts;
    case Dimension::kCelsius:
      return kCelsius;
    case Dimension::kCount:
    case Dimension::kText:
    case Dimension::kFlag:
      return kCounts;
  }
  return kCounts;
}

bool IsHex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

/// Length of hex digits at the end of text[..end).
std::size_t HexBefore(std::string_view text, std::size_t end) {
  std::size_t n = 0;
  while (n < end && IsHex(text[end - 1 - n])) ++n;
  return n;
}

}  // namespace

bool IsUnreadable(std::string_view text) {
  const std::string_view plain = WithoutBrackets(text);
  return plain == "ERR!" || plain == "Unknown Error" || plain == "GPU is lost";
}

Reading<PastedValue> Measure(std::string_view text, Dimension dimension) {
  if (IsUnreadable(text)) return {Why::kFailed, std::string(Trim(text))};
  text = WithoutBrackets(text);
  if (IsAbsent(text)) return {Why::kNotSupported, std::string(text)};
  if (dimension == Dimension::kText) return PastedValue(std::string(text));
  if (dimension == Dimension::kFlag) {
    if (IsAny(text, {"Active", "Enabled", "Yes", "On", "1"})) return PastedValue(true);
    if (IsAny(text, {"Not Active", "Disabled", "No", "Off", "0"})) return PastedValue(false);
    return {Why::kNotSampled, std::string(text)};
  }
  const std::size_t split = std::min(text.find_first_not_of("+-.0123456789"), text.size());
  const std::optional<double> number = ParseDouble(text.substr(0, split));
  const std::string_view unit = Trim(text.substr(split));
  if (!number) return {Why::kNotSampled, std::string(text)};
  for (const Scale& scale : ScalesOf(dimension)) {
    if (scale.unit == unit) return PastedValue(*number * scale.factor);
  }
  return {Why::kNotSampled, std::string(text)};
}

std::string_view BusIdIn(std::string_view text) {
  for (std::size_t dot = text.find('.'); dot != std::string_view::npos;
       dot = text.find('.', dot + 1)) {
    // ...bb:dd.f
    if (dot < 5 || dot + 1 >= text.size() || text[dot + 1] < '0' || text[dot + 1] > '7') continue;
    if (dot + 2 < text.size() && IsHex(text[dot + 2])) continue;
    if (HexBefore(text, dot) != 2 || text[dot - 3] != ':') continue;
    const std::size_t bus = HexBefore(text, dot - 3);
    if (bus != 2) continue;
    std::size_t first = dot - 5;
    if (first > 4 && text[first - 1] == ':') {
      const std::size_t domain = HexBefore(text, first - 1);
      if (domain >= 4 && domain <= 8) first -= domain + 1;
    }
    return text.substr(first, dot + 2 - first);
  }
  return {};
}

void AddValue(GpuLook& look, GpuField field, std::string_view text, Dimension dimension,
              std::uint32_t line, std::string_view name) {
  Reading<PastedValue> value = Measure(text, dimension);
  if (IsUnreadable(text)) {
    look.values.push_back({GpuField::kUnreadable, PastedValue(std::string(name)), line});
  }
  if (!value && value.missing().why == Why::kNotSampled) return;
  look.values.push_back({field, std::move(value), line});
}

}  // namespace gpuwhy
