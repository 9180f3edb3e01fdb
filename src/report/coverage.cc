#include "report/coverage.h"

#include <algorithm>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/i18n.h"
#include "diagnose/coverage.h"
#include "diagnose/explain.h"

namespace gpuwhy {
namespace {

using Json = nlohmann::ordered_json;

constexpr EvidenceSource kSources[] = {EvidenceSource::kLive, EvidenceSource::kPasted,
                                       EvidenceSource::kTrace};

std::string SourcesText(const CoverageRow& row) {
  std::string text;
  for (const EvidenceSource source : kSources) {
    if (!FiresFrom(row, source)) continue;
    text += (text.empty() ? "" : " ") + std::string(Name(source));
  }
  return text.empty() ? "-" : text;
}

/// The first case, and how many more there are.
std::string CasesText(std::span<const CoverageCase> cases) {
  if (cases.empty()) return "-";
  std::string text(cases.front().name);
  if (cases.size() > 1) text += " +" + std::to_string(cases.size() - 1);
  return text;
}

std::string RulesText(const CoverageRow& row) {
  if (!HasRule(row.id)) return "-";
  std::string text;
  for (const std::string_view file : row.rule_files)
    text += (text.empty() ? "" : " ") + std::string(file);
  return text;
}

Json RulesJson(const CoverageRow& row) {
  Json json = Json::array();
  if (!HasRule(row.id)) return json;
  for (const std::string_view file : row.rule_files) json.push_back(std::string(file));
  return json;
}

Json CasesJson(std::span<const CoverageCase> cases) {
  Json json = Json::array();
  for (const CoverageCase& one : cases)
    json.push_back({{"case", one.name}, {"source", Name(one.source)}});
  return json;
}

struct Sums {
  std::size_t findings = 0, rules = 0, delivered = 0;
};

Sums Count() {
  Sums sums;
  for (const CoverageRow& row : AllCoverage()) {
    ++sums.findings;
    sums.rules += HasRule(row.id) ? 1U : 0U;
    sums.delivered += IsDelivered(row) ? 1U : 0U;
  }
  return sums;
}

}  // namespace

std::string CoverageText() {
  std::size_t width = 0;
  for (const CoverageRow& row : AllCoverage()) width = std::max(width, row.id.size());
  std::string text =
      fmt::format("{:<{}}  {:<10} {:<18} {:<46} {:<46} {}\n", _("finding"), width, _("delivered"),
                  _("found in"), _("a case that fires"), _("a near miss"), _("rule"));
  for (const CoverageRow& row : AllCoverage()) {
    text += fmt::format("{:<{}}  {:<10} {:<18} {:<46} {:<46} {}\n", row.id, width,
                        IsDelivered(row) ? _("yes") : _("no"), SourcesText(row),
                        CasesText(row.fires), CasesText(row.near_misses), RulesText(row));
  }
  const Sums sums = Count();
  text += "\n" + Format(_("{} findings are in the catalogue, {} have a rule, {} are delivered: a "
                          "rule, a case of the whole program that fires, and a near miss that does "
                          "not.\n"),
                        sums.findings, sums.rules, sums.delivered);
  return text;
}

std::string CoverageJson() {
  Json findings = Json::array();
  for (const CoverageRow& row : AllCoverage()) {
    Json sources = Json::array();
    for (const EvidenceSource source : kSources) {
      if (FiresFrom(row, source)) sources.push_back(Name(source));
    }
    findings.push_back({{"id", row.id},
                        {"delivered", IsDelivered(row)},
                        {"sources", std::move(sources)},
                        {"rules", RulesJson(row)},
                        {"fires", CasesJson(row.fires)},
                        {"near_misses", CasesJson(row.near_misses)}});
  }
  const Sums sums = Count();
  const Json json = {
      {"schema", "gpuwhy.coverage/1"},
      {"totals",
       {{"findings", sums.findings}, {"rules", sums.rules}, {"delivered", sums.delivered}}},
      {"findings", std::move(findings)}};
  return json.dump(2) + "\n";
}

}  // namespace gpuwhy
