#include "report/trace_json.h"

#include <cmath>
#include <cstddef>
#include <optional>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/json_parts.h"

namespace gpuwhy {
namespace {

using Json = nlohmann::ordered_json;

using trace::kKernelClasses;
using trace::kParts;
using trace::kWorkKinds;

template <class T>
Json NumberOrNull(const Reading<T>& reading) {
  return reading ? Json(*reading) : Json(nullptr);
}

// -1 stands for what the trace does not say.
Json KnownOrNull(std::int64_t value) { return value >= 0 ? Json(value) : Json(nullptr); }
Json TextOrNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(Printable(text));
}

template <class T>
Json ByWork(const std::array<T, kWorkKinds>& values) {
  Json json = Json::object();
  for (std::size_t i = 0; i < kWorkKinds; ++i)
    json[std::string(WorkName(static_cast<trace::Work>(i)))] = values[i];
  return json;
}

Json PartsJson(const trace::Parts& parts) {
  Json json = Json::object();
  for (std::size_t i = 0; i < kParts; ++i)
    json[std::string(PartName(static_cast<trace::Part>(i)))] = parts[i];
  return json;
}

Json DeviceJson(const trace::DeviceReport& device) {
  const trace::Figures& f = device.figures;
  return {{"span_ns", f.span_ns},
          {"busy_ns", f.busy_ns},
          {"idle_ns", f.idle_ns},
          {"union_ns", ByWork(f.union_ns)},
          {"sum_ns", ByWork(f.sum_ns)},
          {"count", ByWork(f.count)},
          {"exposed_comm_ns", f.exposed_comm_ns},
          {"exposed_memcpy_ns", f.exposed_memcpy_ns},
          {"overlap_comm_ns", f.overlap_comm_ns},
          {"parts_ns", PartsJson(device.parts)}};
}

Json DevicesJson(const trace::FileReport& file) {
  Json devices = Json::array();
  for (const trace::DeviceReport& device : file.devices) {
    Json json = {{"device", device.device}, {"name", TextOrNull(device.name)}};
    json.update(DeviceJson(device));
    devices.push_back(std::move(json));
  }
  return devices;
}

Json StepsJson(const trace::StepList& list) {
  Json steps = Json::array();
  for (const trace::Step& step : list.steps) {
    steps.push_back({{"name", Printable(step.anatomy.name)},
                     {"source", step.anatomy.source},
                     {"confidence", list.confidence},
                     {"use", Name(step.use)},
                     {"start_ns", step.anatomy.window.start},
                     {"dur_ns", step.anatomy.window.Length()},
                     {"parts_ns", PartsJson(step.anatomy.parts)}});
  }
  return steps;
}

Json ShapesJson(const trace::KernelRow& row) {
  Json shapes = Json::array();
  for (const trace::KernelShape& shape : row.shapes) {
    shapes.push_back({{"op", Printable(shape.op)},
                      {"inputs", Printable(shape.inputs)},
                      {"count", shape.count},
                      {"sum_ns", shape.sum_ns}});
  }
  return shapes;
}

Json KernelsJson(const trace::KernelFigures& kernels) {
  Json rows = Json::array();
  for (const trace::KernelRow& row : kernels.rows) {
    rows.push_back({{"name", Printable(row.name)},
                    {"class", Name(row.kernel_class)},
                    {"count", row.count},
                    {"sum_ns", row.sum_ns},
                    {"mean_ns", row.sum_ns / static_cast<std::int64_t>(row.count)},
                    {"share", row.share},
                    {"shapes", ShapesJson(row)}});
  }
  return rows;
}

Json CopyJson(const char* direction, const char* memory, const trace::CopyFigures& copy) {
  return {{"direction", direction}, {"host_memory", memory},
          {"count", copy.count},    {"bytes", copy.bytes},
          {"sum_ns", copy.sum_ns},  {"bytes_per_s", NumberOrNull(copy.BytesPerSecond())}};
}

Json KernelSummaryJson(const trace::KernelFigures& kernels) {
  Json classes = Json::object();
  for (std::size_t i = 0; i < kKernelClasses; ++i) {
    classes[std::string(Name(static_cast<trace::KernelClass>(i)))] = {
        {"count", kernels.class_count[i]}, {"sum_ns", kernels.class_ns[i]}};
  }
  Json copies = Json::array();
  copies.push_back(CopyJson("h2d", "pageable", kernels.pageable_h2d));
  copies.push_back(CopyJson("h2d", "pinned", kernels.pinned_h2d));
  copies.push_back(CopyJson("h2d", "unknown", kernels.other_h2d));
  copies.push_back(CopyJson("d2h", "pageable", kernels.pageable_d2h));
  copies.push_back(CopyJson("d2h", "pinned", kernels.pinned_d2h));
  copies.push_back(CopyJson("d2h", "unknown", kernels.other_d2h));
  return {{"classes", std::move(classes)},
          {"tiny_share", NumberOrNull(kernels.tiny_share)},
          {"launch_p50_ns", NumberOrNull(kernels.launch_p50_ns)},
          {"launch_p99_ns", NumberOrNull(kernels.launch_p99_ns)},
          {"queue_depth", NumberOrNull(kernels.queue_depth)},
          {"small_grid_share", NumberOrNull(kernels.small_grid_share)},
          {"copies", std::move(copies)}};
}

Json GapsJson(const trace::FileReport& file) {
  Json gaps = Json::array();
  for (const trace::GapReport& gap : file.gaps) {
    gaps.push_back({{"start_ns", gap.start_ns},
                    {"dur_ns", gap.dur_ns},
                    {"cause", PartName(gap.cause)},
                    {"host", TextOrNull(gap.host)},
                    {"ended_by", TextOrNull(gap.ended_by)},
                    {"frame", TextOrNull(gap.frame)}});
  }
  return gaps;
}

Json FileJson(const trace::FileReport& file) {
  Json problems = Json::array();
  for (const std::string& problem : file.problems) problems.push_back(Printable(problem));
  Json lost = Json::object();
  for (const auto& [reason, count] : file.lost) lost[reason] = count;
  // The path as it was given: a reader looks the file up by it. Not UTF-8: dump() mends it.
  return {{"file", file.file},
          {"format", file.format},
          {"rank", KnownOrNull(file.rank)},
          {"world_size", KnownOrNull(file.world_size)},
          {"resolution_ns", file.resolution_ns},
          {"events", file.events},
          {"gpu_events", file.gpu_events},
          {"lost", std::move(lost)},
          {"whole", DeviceJson(file.whole)},
          {"devices", DevicesJson(file)},
          {"steps", StepsJson(file.steps)},
          {"problems", std::move(problems)},
          {"kernels", KernelsJson(file.kernels)},
          {"kernel_summary", KernelSummaryJson(file.kernels)},
          {"gaps", GapsJson(file)}};
}

Json RanksJson(const trace::CrossRank& ranks) {
  Json collectives = Json::array();
  for (const trace::MatchedCollective& c : ranks.collectives) {
    collectives.push_back({{"group", Printable(c.group)},
                           {"kind", Printable(c.kind)},
                           {"index", c.index},
                           {"ranks", c.ranks},
                           {"skew_ns", c.skew_ns},
                           {"transfer_ns", c.transfer_ns},
                           {"bytes", c.bytes > 0 ? Json(c.bytes) : Json(nullptr)},
                           {"last_rank", c.last_rank}});
  }
  Json rates = Json::array();
  for (const trace::CollectiveRate& rate : ranks.rates) {
    rates.push_back({{"kind", Name(rate.kind)},
                     {"bytes", rate.bytes},
                     {"ranks", rate.ranks},
                     {"count", rate.count},
                     {"transfer_ns", rate.transfer_ns},
                     {"algorithm_bytes_per_s", rate.algorithm_rate},
                     {"bus_bytes_per_s", rate.bus_rate},
                     {"reliable", rate.reliable}});
  }
  Json waits = Json::array();
  for (const trace::RankWait& wait : ranks.waits) {
    waits.push_back({{"rank", wait.rank},
                     {"file", wait.file},
                     {"wait_ns", wait.wait_ns},
                     {"arrived_last", wait.arrived_last},
                     {"clock_offset_ns", wait.clock_offset_ns},
                     {"pipeline_ns", wait.pipeline_ns}});
  }
  Json stragglers = Json::array();
  for (const trace::Straggler& s : ranks.stragglers) {
    stragglers.push_back({{"rank", s.rank},
                          {"reason", Name(s.reason)},
                          {"excess_ns", s.excess_ns},
                          {"cost_ns", s.cost_ns},
                          {"arrived_last_share", s.arrived_last_share}});
  }
  Json problems = Json::array();
  for (const std::string& problem : ranks.problems) problems.push_back(Printable(problem));
  return {{"equal_work", ranks.equal_work},
          {"alignment_residual_ns", ranks.alignment_residual_ns},
          {"unmatched", ranks.unmatched},
          {"problems", std::move(problems)},
          {"collectives", std::move(collectives)},
          {"rates", std::move(rates)},
          {"waits", std::move(waits)},
          {"stragglers", std::move(stragglers)}};
}

Json AnswerJson(const Json& file, const trace::WhatIf& answer) {
  return {{"file", file},
          {"change", Name(answer.change)},
          {"now_ns", answer.now_ns},
          {"then_ns", answer.then_ns},
          {"gain", answer.gain},
          {"reliable", answer.reliable},
          {"assumption", Assumption(answer.change)}};
}

Json WhatIfJson(const trace::TraceReport& report) {
  Json answers = Json::array();
  for (const trace::FileReport& file : report.files) {
    for (const trace::WhatIf& answer : file.what_if)
      answers.push_back(AnswerJson(file.file, answer));
  }
  if (const std::optional<trace::WhatIf> answer = WithoutSlowestRank(report.ranks))
    answers.push_back(AnswerJson(nullptr, *answer));
  return answers;
}

}  // namespace

std::string RenderTraceJson(const trace::TraceReport& report, const Diagnosis& diagnosis) {
  Json files = Json::array();
  for (const trace::FileReport& file : report.files) files.push_back(FileJson(file));
  const Json json = {{"schema", "gpuwhy.trace/1"},
                     {"tool", {{"version", Printable(diagnosis.tool_version)}}},
                     {"files", std::move(files)},
                     {"ranks", RanksJson(report.ranks)},
                     {"what_if", WhatIfJson(report)},
                     {"findings", FindingsJson(diagnosis)},
                     {"verdict", VerdictJson(diagnosis)},
                     {"unknown", UnknownsJson(diagnosis)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpuwhy
