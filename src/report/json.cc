#include "report/json.h"

#include <cmath>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/json_parts.h"
#include "report/lines.h"

namespace gpuwhy {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no NaN and no infinity: a number that is none is null, never 0.
Json Number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json Number(const Reading<double>& reading, double factor) {
  return reading ? Number(*reading * factor) : Json(nullptr);
}

Json TextOrNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(Printable(text));
}

Json Texts(const std::vector<std::string>& texts) {
  Json array = Json::array();
  for (const std::string& text : texts) array.push_back(Printable(text));
  return array;
}

Json CostJson(const std::optional<Cost>& cost) {
  if (!cost) return nullptr;
  return {{"share", Number(cost->share)},
          {"low", Number(cost->low)},
          {"high", Number(cost->high)},
          {"basis", Name(cost->basis)}};
}

const char* GpuSignId(GpuSign sign) {
  switch (sign) {
    case GpuSign::kNone:
      return "none";
    case GpuSign::kFramework:
      return "framework";
    case GpuSign::kDevice:
      return "device";
  }
  return "none";
}

Json JobJson(const JobFacts& job) {
  Json consumer = job.consumer_pid > 0 ? Json(job.consumer_pid) : Json(nullptr);
  return {{"subject", Printable(job.subject.Text())},
          {"command", Printable(job.command)},
          {"root_pid", job.root_pid},
          {"consumer_pid", std::move(consumer)},
          {"filler_pids", job.filler_pids},
          {"processes", job.processes},
          {"threads", job.threads},
          {"score", Number(job.score)},
          {"given", job.given},
          {"working_folder", TextOrNull(job.working_folder)},
          {"cgroup", TextOrNull(job.cgroup)},
          {"age_s", Number(job.age_s, 1)},
          {"cores", Number(job.cores, 1)},
          {"gpu_sign", GpuSignId(job.gpu)}};
}

Json EdgeJson(const WaitEdge& edge) {
  return {{"from", Printable(edge.from.Text())}, {"to", Printable(edge.to.Text())},
          {"kind", Printable(edge.kind)},        {"resource", TextOrNull(edge.resource)},
          {"share", Number(edge.share)},         {"low", Number(edge.interval.low)},
          {"high", Number(edge.interval.high)},  {"source", Printable(edge.source)},
          {"object", TextOrNull(edge.object)},   {"proof", TextOrNull(edge.proof)}};
}

Json ValueJson(const FactValue& value) {
  if (const double* number = std::get_if<double>(&value)) return Number(*number);
  if (const bool* flag = std::get_if<bool>(&value)) return *flag;
  return Printable(std::get<std::string>(value));
}

Json EvidenceJson(const Evidence& evidence, MonoTime started) {
  const Fact& fact = evidence.fact;
  const std::string how =
      evidence.how.empty() ? std::string(OriginId(fact.provenance.origin)) : evidence.how;
  Json json = {{"fact", Id(fact.id)},
               {"subject", Printable(fact.subject.Text())},
               {"scope", ScopePartId(fact.scope.part)},
               {"value", fact.value ? ValueJson(*fact.value) : Json(nullptr)},
               {"unit", UnitSymbol(Info(fact.id).unit)},
               {"expected", TextOrNull(evidence.expected)},
               {"from", Number(Seconds(fact.scope.from - started))},
               {"to", Number(Seconds(fact.scope.to - started))},
               {"n", fact.stat.n},
               {"how", Printable(how)},
               {"source", TextOrNull(fact.provenance.source)}};
  if (!fact.value) {
    const Missing& missing = fact.value.missing();
    json["missing"] = {{"why", WhyId(missing.why)}, {"detail", Printable(missing.detail)}};
  }
  return json;
}

Json FindingJson(const Finding& finding, MonoTime started) {
  const FindingInfo& info = finding.Info();
  Json evidence = Json::array();
  for (const Evidence& piece : finding.evidence) evidence.push_back(EvidenceJson(piece, started));
  Json refs = Json::array();
  for (const std::string_view ref : info.refs) refs.push_back(ref);
  return {{"id", finding.id},
          {"kind", Name(info.kind)},
          {"stage", info.stage},
          {"resource", info.resource},
          {"subject", Printable(finding.subject.Text())},
          {"effect", Name(finding.effect)},
          {"action", Name(info.action)},
          {"severity", Name(finding.severity)},
          {"confidence", Name(finding.confidence)},
          {"explained_by", Texts(finding.explained_by)},
          {"cost", CostJson(finding.cost)},
          {"bound", finding.bound ? Number(*finding.bound) : Json(nullptr)},
          {"evidence", std::move(evidence)},
          {"title", Printable(finding.title)},
          {"meaning", PrintableLines(finding.meaning)},
          {"decision", Printable(finding.decision)},
          {"fix", PrintableLines(finding.fix)},
          {"verify", PrintableLines(finding.verify)},
          {"refs", std::move(refs)}};
}

Json StepJson(const std::optional<StepFacts>& step) {
  if (!step) return nullptr;
  return {{"count", step->count},
          {"median_s", Number(step->median_s)},
          {"p95_s", Number(step->p95_s)},
          {"throughput", step->throughput ? Number(*step->throughput) : Json(nullptr)},
          {"unit", TextOrNull(step->unit)},
          {"source", Printable(step->source)},
          {"anatomy", nullptr},
          {"left_out", step->left_out},
          {"span", step->span > 0 ? Json(step->span) : Json(nullptr)}};
}

Json UnknownJson(const Unknown& unknown) {
  return {{"what", Printable(unknown.what)},
          {"why", Printable(unknown.why)},
          {"how", Printable(unknown.how)},
          {"hides", Texts(unknown.hides)},
          {"urgent", unknown.urgent}};
}

Json InputJson(const InputReport& input) {
  return {{"name", Printable(input.name)},
          {"recognised_as", TextOrNull(input.recognised_as)},
          {"used", input.used},
          {"problems", Texts(input.problems)}};
}

template <class T, class ToJson>
Json Array(const std::vector<T>& items, const ToJson& to_json) {
  Json array = Json::array();
  for (const T& item : items) array.push_back(to_json(item));
  return array;
}

}  // namespace

Json VerdictJson(const Diagnosis& diagnosis) {
  if (!diagnosis.verdict) {
    return {{"finding", nullptr},
            {"kind", nullptr},
            {"resource", nullptr},
            {"subject", nullptr},
            {"confidence", nullptr},
            {"cost", nullptr},
            {"summary", Printable(diagnosis.summary)}};
  }
  const Finding& finding = diagnosis.findings.at(*diagnosis.verdict);
  return {{"finding", finding.id},
          {"kind", Name(finding.Info().kind)},
          {"resource", finding.Info().resource},
          {"subject", Printable(finding.subject.Text())},
          {"confidence", Name(finding.confidence)},
          {"cost", CostJson(finding.cost)},
          {"summary", Printable(diagnosis.summary)}};
}

Json FindingsJson(const Diagnosis& diagnosis) {
  const MonoTime started = diagnosis.source.started_mono;
  return Array(diagnosis.findings,
               [&](const Finding& finding) { return FindingJson(finding, started); });
}

Json UnknownsJson(const Diagnosis& diagnosis) { return Array(diagnosis.unknown, UnknownJson); }

std::string RenderJson(const Diagnosis& diagnosis) {
  constexpr double kBytesPerKib = 1024;
  Json json = {{"schema", "gpuwhy.diagnosis/1"},
               {"tool", {{"version", Printable(diagnosis.tool_version)}}},
               {"source",
                {{"kind", Printable(diagnosis.source.kind)},
                 {"started", TextOrNull(diagnosis.source.started)},
                 {"duration_s", Number(diagnosis.source.duration_s)},
                 {"host", TextOrNull(diagnosis.source.host)}}}};
  json["verdict"] = VerdictJson(diagnosis);
  json["alerts"] = Texts(diagnosis.alerts);
  json["jobs"] = Array(diagnosis.jobs, JobJson);
  json["wait_chain"] = Array(diagnosis.wait_chain, EdgeJson);
  json["findings"] = FindingsJson(diagnosis);
  json["step"] = StepJson(diagnosis.step);
  json["unknown"] = UnknownsJson(diagnosis);
  json["inputs"] = Array(diagnosis.inputs, InputJson);
  const Overhead& overhead = diagnosis.overhead;
  json["overhead"] = {{"cpu_share", Number(overhead.cpu_share, 1)},
                      {"peak_rss", Number(overhead.peak_rss_kib, kBytesPerKib)},
                      {"samples", overhead.samples},
                      {"late", overhead.late},
                      {"lost", overhead.lost}};
  // Every text went through Printable, so nothing is left to replace; dump() must still never
  // throw.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpuwhy
