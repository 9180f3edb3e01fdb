#include "facts/fact_set.h"

#include <utility>

namespace gpuwhy {

void FactSet::Add(Fact fact) {
  first_.try_emplace({fact.id, fact.subject}, facts_.size());
  facts_.push_back(std::move(fact));
}

const Fact* FactSet::Find(FactId id, const Subject& subject) const {
  const auto it = first_.find({id, subject});
  return it == first_.end() ? nullptr : &facts_[it->second];
}

std::vector<const Fact*> FactSet::All(FactId id) const {
  std::vector<const Fact*> found;
  for (const Fact& fact : facts_) {
    if (fact.id == id) found.push_back(&fact);
  }
  return found;
}

Reading<double> FactSet::Number(FactId id, const Subject& subject) const {
  const Fact* fact = Find(id, subject);
  if (fact == nullptr) return Missing{Why::kNotSampled, std::string(Id(id))};
  if (!fact->value) return fact->value.missing();
  if (const double* number = std::get_if<double>(&*fact->value)) return *number;
  return Missing{Why::kFailed, std::string(Id(id)) + " is no number"};
}

}  // namespace gpuwhy
