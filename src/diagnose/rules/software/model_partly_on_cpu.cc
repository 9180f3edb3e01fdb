#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

/// Of "42%/58% CPU/GPU" the first number as a share; nullopt for other texts.
std::optional<double> PartOnCpu(const Fact& fact) {
  const std::string* text = std::get_if<std::string>(&*fact.value);
  if (text == nullptr) return std::nullopt;
  const std::size_t middle = text->find("%/");
  if (middle == std::string::npos || text->find("% CPU/GPU", middle) == std::string::npos) {
    return std::nullopt;
  }
  std::size_t begin = middle;
  while (begin > 0 && text->at(begin - 1) >= '0' && text->at(begin - 1) <= '9') --begin;
  const std::optional<int> percent = ParseNumber<int>(text->substr(begin, middle - begin));
  if (!percent || *percent > 100) return std::nullopt;
  return *percent / 100.0;
}

/// Of "offloaded 20/33 layers to GPU" the share that stays on the CPU; nullopt for other texts.
std::optional<double> LayersOnCpu(const Fact& fact) {
  const std::string* text = std::get_if<std::string>(&*fact.value);
  if (text == nullptr || text->find("layers to GPU") == std::string::npos) return std::nullopt;
  constexpr std::string_view kWord = "offloaded ";
  const std::size_t at = text->find(kWord);
  if (at == std::string::npos) return std::nullopt;
  std::string_view rest = std::string_view(*text).substr(at + kWord.size());
  const std::optional<int> there = ParseNumber<int>(NextToken(rest, '/'));
  const std::optional<int> all = ParseNumber<int>(NextToken(rest, ' '));
  if (!there || !all || *all <= 0 || *there > *all) return std::nullopt;
  return 1 - static_cast<double>(*there) / *all;
}

/// The time share of layers on the CPU. They are bound by memory bandwidth, of which a CPU has a
/// tenth of a GPU's at most.
double TimeOnCpu(double part) { return part * 10 / (part * 10 + 1 - part); }

}  // namespace

RuleResult ModelPartlyOnCpu(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "model.partly-on-cpu",
      Severity::kWarning,
      Confidence::kHigh,
      N_("Part of the model runs on the CPU"),
      N_("It does not fit into GPU memory; the layers on the CPU set the pace."),
      N_("Use a smaller or more quantised model, a shorter context, or more GPU memory."),
      N_("Choose a quantisation that fits, lower the context length, or free memory that others "
         "hold on the GPU."),
      "ollama ps"};
  std::vector<const Fact*> evidence = AllOf(facts, {FactId::kSaidPartlyOnCpu});
  // The same line says that all layers are on the GPU.
  std::erase_if(evidence, [](const Fact* fact) { return LayersOnCpu(*fact) == 0.0; });
  RuleResult result = Stated(kClaim, evidence);
  for (Finding& finding : result.findings) {
    double part = 0.5;
    for (const Fact* fact : AllOf(facts, {FactId::kSaidPartlyOnCpu})) {
      part = PartOnCpu(*fact).value_or(LayersOnCpu(*fact).value_or(part));
    }
    finding.bound = TimeOnCpu(part);
  }
  return result;
}

}  // namespace gpuwhy
