#include "diagnose/rules/software/job_variables.h"

#include <algorithm>
#include <string>
#include <variant>

#include "diagnose/rules/stated.h"

namespace gpuwhy {

std::vector<JobVariable> JobVariables(const FactSet& facts, std::string_view name) {
  std::vector<JobVariable> found;
  bool environment = false;
  for (const Fact* fact : AllOf(facts, {FactId::kJobVariable})) {
    const auto* text = std::get_if<std::string>(&*fact->value);
    if (text == nullptr) continue;
    const std::size_t equals = text->find('=');
    if (equals != name.size() || !text->starts_with(name)) continue;
    environment |= fact->provenance.source.ends_with("/environ");
    found.push_back({std::string_view(*text).substr(equals + 1), fact});
  }
  if (environment) {
    std::erase_if(found, [](const JobVariable& one) {
      return !one.fact->provenance.source.ends_with("/environ");
    });
  }
  return found;
}

}  // namespace gpuwhy
