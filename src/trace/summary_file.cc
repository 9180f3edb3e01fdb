#include "trace/summary_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/i18n.h"
#include "trace/summary_fields.h"

namespace gpuwhy::trace {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kSchema = "gpuwhy.trace-summary/1";
// As in the importers: differences of two such times do not overflow.
constexpr std::int64_t kLatest = std::int64_t{1} << 62U;

class Writer {
 public:
  static constexpr bool kReads = false;

  template <class T>
  void operator()(const char* key, const T& value) {
    json_[key] = Value(value);
  }

  template <class T>
  static Json Object(const T& value) {
    Writer writer;
    Fields(writer, value);
    return std::move(writer.json_);
  }

 private:
  template <class T>
  static Json Value(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      return static_cast<int>(value);
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
      return value;
    } else {
      return Object(value);
    }
  }
  template <class T>
  static Json Value(const std::vector<T>& values) {
    Json json = Json::array();
    for (const T& value : values) json.push_back(Value(value));
    return json;
  }
  template <class T, std::size_t n>
  static Json Value(const std::array<T, n>& values) {
    Json json = Json::array();
    for (const T& value : values) json.push_back(Value(value));
    return json;
  }
  static Json Value(const std::map<std::string, std::uint64_t>& values) { return values; }
  template <class T>
  static Json Value(const std::optional<T>& value) {
    return value ? Value(*value) : Json(nullptr);
  }
  template <class T>
  static Json Value(const Reading<T>& reading) {
    return reading ? Value(*reading) : Object(reading.missing());
  }

  Json json_ = Json::object();
};

class Reader {
 public:
  static constexpr bool kReads = true;

  explicit Reader(const Json& json) : json_(json) { ok_ = json.is_object(); }

  template <class T>
  void operator()(const char* key, T& value) {
    if (!ok_) return;
    const auto it = json_.find(key);
    if (it != json_.end()) ok_ = Value(*it, value);
    if (!ok_) wrong_ = key;
  }

  /// wrong: receives the key of the value that is none of T's, where there is one.
  template <class T>
  static bool Object(const Json& json, T& value, const char** wrong = nullptr) {
    Reader reader(json);
    Fields(reader, value);
    if (wrong != nullptr) *wrong = reader.wrong_;
    return reader.ok_;
  }

 private:
  template <class T>
  static bool Value(const Json& json, T& value) {
    if constexpr (std::is_enum_v<T>) {
      std::uint32_t number = 0;
      if (!Integer(json, number) || number >= kValues<T>) return false;
      value = static_cast<T>(number);
      return true;
    } else if constexpr (std::is_same_v<T, bool>) {
      return json.is_boolean() && (value = json.get<bool>(), true);
    } else if constexpr (std::is_integral_v<T>) {
      return Integer(json, value);
    } else if constexpr (std::is_floating_point_v<T>) {
      return json.is_number() && (value = json.get<T>(), std::isfinite(value));
    } else if constexpr (std::is_same_v<T, std::string>) {
      return json.is_string() && (value = json.get_ref<const std::string&>(), true);
    } else {
      return Object(json, value);
    }
  }
  template <class T>
  static bool Value(const Json& json, std::vector<T>& values) {
    if (!json.is_array()) return false;
    values.clear();
    values.reserve(json.size());
    for (const Json& item : json) {
      T value{};
      if (!Value(item, value)) return false;
      values.push_back(std::move(value));
    }
    return true;
  }
  // Short where this array has grown since the file was written.
  template <class T, std::size_t n>
  static bool Value(const Json& json, std::array<T, n>& values) {
    if (!json.is_array() || json.size() > n) return false;
    for (std::size_t i = 0; i < json.size(); ++i) {
      if (!Value(json[i], values[i])) return false;
    }
    return true;
  }
  static bool Value(const Json& json, std::map<std::string, std::uint64_t>& values) {
    if (!json.is_object()) return false;
    for (const auto& item : json.items()) {
      if (!Integer(item.value(), values[item.key()])) return false;
    }
    return true;
  }
  template <class T>
  static bool Value(const Json& json, std::optional<T>& value) {
    if (json.is_null()) return true;
    return Value(json, value.emplace());
  }
  template <class T>
  static bool Value(const Json& json, Reading<T>& reading) {
    if (json.is_object()) {
      Missing missing;
      if (!Object(json, missing)) return false;
      reading = std::move(missing);
      return true;
    }
    T value{};
    if (!Value(json, value)) return false;
    reading = value;
    return true;
  }

  template <class T>
  static bool Integer(const Json& json, T& value) {
    if (json.is_number_unsigned()) {
      const auto number = json.get<std::uint64_t>();
      constexpr auto kMost = static_cast<std::uint64_t>(
          std::min<std::uint64_t>(std::numeric_limits<T>::max(), kLatest));
      if (number > kMost) return false;
      value = static_cast<T>(number);
      return true;
    }
    if (!json.is_number_integer() || std::is_unsigned_v<T>) return false;
    const auto number = json.get<std::int64_t>();
    if (number < -kLatest) return false;
    value = static_cast<T>(number);
    return true;
  }

  const Json& json_;
  bool ok_ = true;
  const char* wrong_ = nullptr;
};

CallColumns ColumnsOf(const RankSummary& rank) {
  CallColumns columns;
  for (const CollectiveCall& call : rank.collectives) {
    columns.group.push_back(call.group);
    columns.kind.push_back(call.kind);
    columns.group_size.push_back(call.group_size);
    columns.start.push_back(call.start);
    columns.length.push_back(call.end - call.start);
    columns.in_bytes.push_back(call.bytes);
    columns.out_bytes.push_back(call.out_bytes);
    columns.measured.push_back(call.measured);
  }
  return columns;
}

bool TakeColumns(const CallColumns& columns, RankSummary& rank) {
  const std::size_t n = columns.start.size();
  for (const std::size_t size :
       {columns.group.size(), columns.kind.size(), columns.group_size.size(), columns.length.size(),
        columns.in_bytes.size(), columns.out_bytes.size(), columns.measured.size()}) {
    if (size != n) return false;
  }
  constexpr std::int64_t kLongest = std::int64_t{1} << 60U;
  for (std::size_t i = 0; i < n; ++i) {
    if (columns.group[i] >= rank.texts.size() || columns.kind[i] >= rank.texts.size()) return false;
    if (columns.length[i] < 0 || columns.length[i] > kLongest) return false;
    if (columns.start[i] < -kLongest || columns.start[i] > kLatest - kLongest) return false;
    CollectiveCall call;
    call.group = columns.group[i];
    call.kind = columns.kind[i];
    call.group_size = columns.group_size[i];
    call.start = columns.start[i];
    call.end = columns.start[i] + columns.length[i];
    call.bytes = columns.in_bytes[i];
    call.out_bytes = columns.out_bytes[i];
    call.measured = columns.measured[i];
    rank.collectives.push_back(call);
  }
  return true;
}

// Added up by whoever reads them, in any grouping: none negative, and together no more than `most`.
template <class Values>
bool AddUp(const Values& values, std::int64_t most, std::int64_t& sum) {
  for (const std::int64_t value : values) {
    if (value < 0 || value > most - sum) return false;
    sum += value;
  }
  return true;
}

template <class Values>
bool AddUp(const Values& values, std::int64_t most) {
  std::int64_t sum = 0;
  return AddUp(values, most, sum);
}

bool StepsAreSound(const FileReport& report) {
  const StepList& list = report.steps;
  if (list.typical && *list.typical >= list.steps.size()) return false;
  if (list.worst && *list.worst >= list.steps.size()) return false;
  constexpr std::int64_t kLongest = std::int64_t{1} << 50U;  // 13 days
  std::size_t measured = 0;
  std::int64_t all = 0;
  for (const Step& step : list.steps) {
    const Span& window = step.anatomy.window;
    if (window.start < -kLatest / 2 || window.end < window.start ||
        window.end - window.start > kLongest) {
      return false;
    }
    if (!AddUp(std::array{window.Length()}, kLatest, all)) return false;
    if (!AddUp(step.anatomy.parts, window.Length())) return false;
    measured += step.use == StepUse::kMeasured ? 1U : 0U;
  }
  std::int64_t figures = 0;
  for (const StepRow& row : report.step_figures.rows) {
    if (!AddUp(row, kLatest, figures)) return false;
  }
  return report.step_figures.rows.empty() || report.step_figures.rows.size() == measured;
}

// What the rest of the program relies on: places within lists, one row a measured step, durations
// whose sums do not overflow. Names what is not so; empty: all is.
std::string_view Unsound(const FileReport& report) {
  const auto counts = [](const KernelRow& row) {
    return row.count > 0 && std::all_of(row.shapes.begin(), row.shapes.end(),
                                        [](const KernelShape& s) { return s.count > 0; });
  };
  if (!StepsAreSound(report)) return "steps";
  if (!std::all_of(report.kernels.rows.begin(), report.kernels.rows.end(), counts))
    return "kernels";
  if (!AddUp(report.whole.parts, std::numeric_limits<std::int64_t>::max())) return "whole";
  const auto adds_up = [](const DeviceReport& device) {
    return AddUp(device.parts, std::numeric_limits<std::int64_t>::max());
  };
  if (!std::all_of(report.devices.begin(), report.devices.end(), adds_up)) return "devices";
  return {};
}

// place: of the rank in the list.
Result<Analysis> ReadRank(const Json& json, std::size_t place) {
  const auto damaged = [&](std::string_view part, std::string_view key) {
    return Error{Format(_("a summary of a trace that is damaged: ranks[{}]{}{}{}{}"), place,
                        part.empty() ? "" : ".", part, key.empty() ? "" : ".", key),
                 {},
                 0};
  };
  Analysis analysis;
  if (!json.is_object() || !json.contains("report") || !json.contains("summary"))
    return damaged({}, {});
  const auto read = [](const Json& from, auto& to, std::string& key) {
    const char* wrong = nullptr;
    const bool good = Reader::Object(from, to, &wrong);
    if (wrong != nullptr) key = wrong;
    return good;
  };
  std::string key;
  if (!read(json["report"], analysis.report, key)) return damaged("report", key);
  if (const std::string_view part = Unsound(analysis.report); !part.empty())
    return damaged("report", part);
  if (!read(json["summary"], analysis.summary, key)) return damaged("summary", key);
  if (!AddUp(analysis.summary.parts, std::numeric_limits<std::int64_t>::max()))
    return damaged("summary", "parts");
  CallColumns columns;
  if (json.contains("collectives") && !read(json["collectives"], columns, key))
    return damaged("collectives", key);
  if (!TakeColumns(columns, analysis.summary)) return damaged("collectives", {});
  return analysis;
}

// No exception leaves: nlohmann has no other way to say where it stopped.
Result<Json> Parse(std::string_view text, const std::string& name) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    return Error{_("no JSON, or cut: gpuwhy trace --summary makes what is read here"),
                 Format("{}@{}", name, error.byte), 0};
  } catch (const Json::exception&) {
    return Error{_("a summary of a trace that is damaged: a number in it is none"), name, 0};
  }
}

}  // namespace

std::string WriteSummary(const std::vector<Analysis>& ranks, const std::string& tool_version) {
  Json list = Json::array();
  for (const Analysis& rank : ranks) {
    list.push_back({{"report", Writer::Object(rank.report)},
                    {"summary", Writer::Object(rank.summary)},
                    {"collectives", Writer::Object(ColumnsOf(rank.summary))}});
  }
  // Keys are sorted, so the schema is named first by its key.
  const Json json = {{"$schema", kSchema}, {"ranks", std::move(list)}, {"version", tool_version}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<std::vector<Analysis>> ReadSummary(std::string_view text, const std::string& name) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return Error{_("the file is empty"), name, 0};
  const Result<Json> json = Parse(text, name);
  if (!json) return json.error();
  if (!json->is_object() || !json->contains("$schema") || !json->contains("ranks") ||
      !(*json)["ranks"].is_array()) {
    return Error{_("not a summary of a trace: gpuwhy trace --summary makes them"), name, 0};
  }
  if ((*json)["$schema"] != kSchema) {
    return Error{_("a summary of a trace by a later version of gpuwhy"), name, 0};
  }
  std::vector<Analysis> ranks;
  for (const Json& item : (*json)["ranks"]) {
    Result<Analysis> rank = ReadRank(item, ranks.size());
    if (!rank) return Error{rank.error().message, name, 0};
    ranks.push_back(*std::move(rank));
  }
  if (ranks.empty()) return Error{_("a summary of no trace at all"), name, 0};
  return ranks;
}

}  // namespace gpuwhy::trace
