#include "diagnose/rules/io_limit.h"

namespace gpuwhy {

const Fact* FullReadLimit(const FactSet& facts, const InputPolicy& policy) {
  const Fact* fullest = nullptr;
  for (const Fact* fact : facts.All(FactId::kCgroupReadUsed)) {
    if (!IsNumber(fact) || fact->interval.low < policy.io_limit_used) continue;
    if (fullest == nullptr || fact->Number() > fullest->Number()) fullest = fact;
  }
  return fullest;
}

}  // namespace gpuwhy
