#include "diagnose/rules/software/modules.h"

namespace gpuwhy {

const Fact* LoadedModule(const FactSet& facts, std::string_view name) {
  for (const Fact* module : facts.All(FactId::kModuleLoaded)) {
    if (module->subject.id == name) return module;
  }
  return nullptr;
}

}  // namespace gpuwhy
