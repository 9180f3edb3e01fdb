#include "report/compare_json.h"

#include <cstddef>

#include <nlohmann/json.hpp>

#include "base/text.h"

namespace gpuwhy {
namespace {

using Json = nlohmann::ordered_json;
using trace::ComparedSide;
using trace::Shift;

// Beyond these, kernels moved by next to nothing.
constexpr std::size_t kMostKernels = 200;

Json TextOrNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(Printable(text));
}

Json ShiftJson(const Shift& shift) {
  const bool known = shift.moved != trace::Moved::kCannotTell;
  return {{"before_ns", shift.before},
          {"after_ns", shift.after},
          {"by_ns", shift.by},
          {"low_ns", known ? Json(shift.low) : Json(nullptr)},
          {"high_ns", known ? Json(shift.high) : Json(nullptr)},
          {"moved", Name(shift.moved)}};
}

Json SideJson(const ComparedSide& side) {
  return {{"file", side.file},
          {"device", TextOrNull(side.device)},
          {"steps", side.steps},
          {"step_source", TextOrNull(side.step_source)}};
}

Json StepsJson(const std::vector<trace::StepPair>& pairs) {
  Json steps = Json::array();
  for (const trace::StepPair& pair : pairs) {
    const bool before = pair.before_ns > 0;
    const bool after = pair.after_ns > 0;
    steps.push_back({{"before", before ? Json(Printable(pair.before)) : Json(nullptr)},
                     {"after", after ? Json(Printable(pair.after)) : Json(nullptr)},
                     {"before_ns", before ? Json(pair.before_ns) : Json(nullptr)},
                     {"after_ns", after ? Json(pair.after_ns) : Json(nullptr)}});
  }
  return steps;
}

Json KernelsJson(const std::vector<trace::KernelShift>& kernels) {
  Json rows = Json::array();
  for (const trace::KernelShift& kernel : kernels) {
    if (rows.size() == kMostKernels) break;
    Json row = {{"name", Printable(kernel.name)},
                {"class", Name(kernel.kernel_class)},
                {"presence", Name(kernel.presence)},
                {"count_before", kernel.count_before},
                {"count_after", kernel.count_after}};
    row.update(ShiftJson(kernel.ns));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::string RenderCompareJson(const trace::TraceComparison& comparison,
                              const std::string& tool_version) {
  Json parts = Json::object();
  for (const trace::PartShift& part : comparison.parts)
    parts[std::string(PartName(part.part))] = ShiftJson(part.ns);
  Json classes = Json::object();
  for (const trace::ClassShift& one : comparison.classes)
    classes[std::string(Name(one.kernel_class))] = ShiftJson(one.ns);
  Json problems = Json::array();
  for (const std::string& problem : comparison.problems) problems.push_back(Printable(problem));
  const Json json = {
      {"schema", "gpuwhy.trace-compare/1"},    {"tool", {{"version", Printable(tool_version)}}},
      {"before", SideJson(comparison.before)}, {"after", SideJson(comparison.after)},
      {"problems", std::move(problems)},       {"step", ShiftJson(comparison.step_ns)},
      {"steps", StepsJson(comparison.steps)},  {"parts", std::move(parts)},
      {"classes", std::move(classes)},         {"kernels", KernelsJson(comparison.kernels)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpuwhy
