#include <string>
#include <string_view>
#include <vector>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/rules/software/job_variables.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

/// Whether the words set the variable: at the start of a line or a command, after "export", "-e",
/// a prompt or another assignment. In prose they are advice.
bool IsSetting(std::string_view line) {
  const std::size_t at = line.find("CUDA_LAUNCH_BLOCKING=1");
  if (at == std::string_view::npos) return false;
  std::string_view before = Trim(line.substr(0, at));
  while (!before.empty() && (before.back() == '"' || before.back() == '\''))
    before.remove_suffix(1);
  before = Trim(before);
  if (before.empty()) return true;
  const std::string_view word = before.substr(before.find_last_of(" \t") + 1);
  return word == "export" || word == "-e" || word == "--env" || word == "env" || word == "ENV" ||
         word == "-x" || word == "$" || word == "#" || word == "-" || word == "&&" ||
         word.ends_with('$') || word.ends_with('#') ||
         (word.find('=') != std::string_view::npos && word.front() >= 'A' && word.front() <= 'Z');
}

}  // namespace

RuleResult EnvLaunchBlocking(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "env.launch-blocking",
      Severity::kWarning,
      Confidence::kMedium,
      N_("CUDA_LAUNCH_BLOCKING is on"),
      N_("Every kernel launch waits for the kernel to end: a setting for debugging."),
      N_("Unset it."),
      N_("Remove CUDA_LAUNCH_BLOCKING=1 from the job's environment."),
      "env | grep CUDA_LAUNCH_BLOCKING"};
  // The same words stand in the advice that follows a CUDA error.
  std::vector<const Fact*> evidence = AllOf(facts, {FactId::kSaidLaunchBlocking});
  std::erase_if(evidence, [](const Fact* fact) {
    const std::string* text = std::get_if<std::string>(&*fact->value);
    return text == nullptr || !IsSetting(*text);
  });
  RuleResult result = Stated(kClaim, evidence);
  for (const JobVariable& variable : JobVariables(facts, "CUDA_LAUNCH_BLOCKING")) {
    if (variable.value.empty() || variable.value == "0") continue;
    // Read from the process itself, and not from advice.
    result = Stated(kClaim, {variable.fact});
    result.findings.front().confidence = Confidence::kHigh;
    result.findings.front().subject = facts.jobs.empty() ? Subject{} : facts.jobs.front().subject;
  }
  return result;
}

}  // namespace gpuwhy
