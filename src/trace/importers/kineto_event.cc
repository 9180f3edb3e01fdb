#include "trace/importers/kineto_event.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace gpuwhy::trace {
namespace {

using simdjson::ondemand::field;
using simdjson::ondemand::object;
using simdjson::ondemand::value;

// A scalar's token without quotes and without the blanks up to the next token.
std::string_view Token(value& v) {
  std::string_view token = v.raw_json_token();
  while (!token.empty() && std::string_view(" \t\r\n").find(token.back()) != std::string_view::npos)
    token.remove_suffix(1);
  if (token.size() >= 2 && token.front() == '"' && token.back() == '"') {
    token.remove_prefix(1);
    token.remove_suffix(1);
  }
  return token;
}

template <class T>
std::optional<T> Integer(std::string_view token) {
  T number{};
  const auto [end, ec] = std::from_chars(token.data(), token.data() + token.size(), number);
  if (ec != std::errc{}) return std::nullopt;
  return number;
}

double Decimal(std::string_view token) {
  double number = -1;
  std::from_chars(token.data(), token.data() + token.size(), number);
  return number;
}

std::string_view KeyOf(field& f) {
  const char* raw = f.key().raw();
  const char* end = raw;
  while (*end != '"') end += *end == '\\' ? 2 : 1;
  return {raw, static_cast<std::size_t>(end - raw)};
}

// "[12,1,1]": the product of the grid's sides.
bool ReadGrid(value& v, RawEvent& event) {
  simdjson::ondemand::array sides;
  if (v.get_array().get(sides) != simdjson::SUCCESS) return false;
  double product = 1;
  for (auto side : sides) {
    std::int64_t n = 0;
    if (side.get_int64().get(n) != simdjson::SUCCESS) return false;
    product *= static_cast<double>(n);
  }
  constexpr double kMax = std::numeric_limits<std::uint32_t>::max();
  event.blocks = product < 0      ? 0
                 : product > kMax ? std::numeric_limits<std::uint32_t>::max()
                                  : static_cast<std::uint32_t>(product);
  return true;
}

bool IsShapes(std::string_view key) { return key == "Input Dims" || key == "Input dims"; }

bool IsOperator(std::string_view category) {
  return category == "cpu_op" || category == "Operator";
}

bool ReadShapes(value& v, RawEvent& event) {
  simdjson::ondemand::array list;
  if (v.get_array().get(list) != simdjson::SUCCESS)
    return v.type().error() == simdjson::SUCCESS;  // null, or text
  return list.raw_json().get(event.shapes) == simdjson::SUCCESS;
}

void ReadArgument(std::string_view key, value& v, RawEvent& e) {
  if (key == "device") {
    e.device = Integer<std::int64_t>(Token(v));
  } else if (key == "stream") {
    e.stream = Integer<std::int64_t>(Token(v));
  } else if (key == "correlation" || key == "correlation_id") {
    e.correlation = Integer<std::int64_t>(Token(v));
  } else if (key == "bytes") {
    e.bytes = Integer<std::uint64_t>(Token(v));
  } else if (key == "blocks per SM") {
    e.blocks_per_sm = Decimal(Token(v));
  } else if (key == "est. achieved occupancy %") {
    e.occupancy = Decimal(Token(v));
  } else if (key == "Collective name") {
    e.collective = Token(v);
  } else if (key == "Process Group Name") {
    e.group = Token(v);
  } else if (key == "dtype") {
    e.dtype = Token(v);
  } else if (key == "In msg nelems") {
    e.in_elements = Integer<std::int64_t>(Token(v)).value_or(-1);
  } else if (key == "Out msg nelems") {
    e.out_elements = Integer<std::int64_t>(Token(v)).value_or(-1);
  } else if (key == "Group size") {
    e.group_size = Integer<std::int64_t>(Token(v)).value_or(0);
  } else if (key == "memcpy_details") {
    e.details = Token(v);
  } else if (key == "name" && e.phase == 'M') {
    e.label = Token(v);
  }
}

bool ReadArguments(value& v, RawEvent& event) {
  object args;
  if (v.get_object().get(args) != simdjson::SUCCESS)
    return v.type().error() == simdjson::SUCCESS;  // null, or text
  // Of an operator its shapes are all that is asked for. Where the keys are sorted, args come
  // first.
  const bool shapes_alone = IsOperator(event.category);
  const bool may_have_shapes = shapes_alone || event.category.empty();
  for (auto item : args) {
    field f;
    if (std::move(item).get(f) != simdjson::SUCCESS) return false;
    const std::string_view key = KeyOf(f);
    if (may_have_shapes && IsShapes(key)) {
      if (!ReadShapes(f.value(), event)) return false;
      if (shapes_alone) return true;  // whoever walks the event skips the rest
    } else if (shapes_alone) {
      continue;
    } else if (key == "grid") {
      if (!ReadGrid(f.value(), event)) return false;
    } else {
      ReadArgument(key, f.value(), event);
    }
  }
  return true;
}

// "12.340" has two: what was rewritten as "12.0" is still a whole number.
int DecimalsOf(std::string_view token) {
  const std::size_t point = token.find('.');
  if (point == std::string_view::npos) return 0;
  const std::size_t last = token.find_last_not_of('0');
  return static_cast<int>(last - point);
}

bool ReadField(std::string_view key, value& v, RawEvent& e) {
  if (key == "ph") {
    const std::string_view phase = Token(v);
    e.phase = phase.empty() ? '\0' : phase.front();
  } else if (key == "cat") {
    e.category = Token(v);
  } else if (key == "name") {
    e.name = Token(v);
  } else if (key == "pid") {
    e.pid = Token(v);
  } else if (key == "tid") {
    e.tid = Token(v);
  } else if (key == "ts") {
    const std::string_view token = Token(v);
    e.start_ns = MicrosToNanos(token);
    e.stamp_decimals = DecimalsOf(token);
  } else if (key == "dur") {
    e.duration_ns = MicrosToNanos(Token(v));
  } else if (key == "args") {
    return ReadArguments(v, e);
  }
  return true;
}

}  // namespace

std::optional<std::int64_t> MicrosToNanos(std::string_view token) {
  const bool negative = !token.empty() && token.front() == '-';
  if (negative) token.remove_prefix(1);
  std::int64_t whole = 0;
  const char* const end = token.data() + token.size();
  const auto [at, ec] = std::from_chars(token.data(), end, whole);
  constexpr std::int64_t kMaxMicros = std::numeric_limits<std::int64_t>::max() / 1000 - 1;
  if (ec != std::errc{} || whole > kMaxMicros || whole < 0) return std::nullopt;
  std::int64_t nanos = whole * 1000;
  const char* p = at;
  if (p != end && *p == '.') {
    std::int64_t unit = 100;
    for (++p; p != end && *p >= '0' && *p <= '9'; ++p) {
      if (unit > 0) nanos += (*p - '0') * unit;
      if (unit == 0 && p - at == 4 && *p >= '5') ++nanos;  // the fourth decimal rounds
      unit /= 10;
    }
  }
  if (p != end) {  // an exponent: rare, so a double will do
    double number = 0;
    const auto [stop, failed] = std::from_chars(token.data(), end, number);
    if (failed != std::errc{} || stop != end || std::abs(number) > static_cast<double>(kMaxMicros))
      return std::nullopt;
    nanos = std::llround(number * 1000);
  }
  return negative ? -nanos : nanos;
}

bool IsSkippedCategory(std::string_view category) {
  return category == "ac2g" || category == "fwdbwd" || category == "gpu_user_annotation" ||
         category == "Trace";
}

bool ReadEvent(object& event_object, RawEvent& event) {
  for (auto item : event_object) {
    field f;
    if (std::move(item).get(f) != simdjson::SUCCESS) return false;
    const std::string_view key = KeyOf(f);
    // Flow arrows and counters are a third of a trace: stop as soon as the phase says so.
    if (key == "args" && event.phase != 0 && event.phase != 'M' && !event.category.empty() &&
        !event.wants_args) {
      const std::string_view c = event.category;
      event.wants_args = c == "kernel" || IsOperator(c) || c == "Kernel" || c.ends_with("emcpy") ||
                         c.ends_with("emset") || c.ends_with("untime") || c.ends_with("driver") ||
                         c == "cuda_sync" || c.starts_with("mtia");
      if (!event.wants_args) continue;
    }
    if (!ReadField(key, f.value(), event)) return false;
    if (key == "ph" && (event.phase == 's' || event.phase == 'f' || event.phase == 't'))
      return true;
    if (key == "cat" && event.phase == 'X' && IsSkippedCategory(event.category)) return true;
  }
  return true;
}

}  // namespace gpuwhy::trace
