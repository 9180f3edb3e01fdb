#include "diagnose/rules/memory/refused_allocation.h"

#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr double kOthersPart = 0.25;  ///< of the device, held by others, from which they are named
constexpr double kSparePart = 0.15;   ///< of the reserved memory that lies unused
constexpr double kFreePart = 0.10;    ///< of the device, free: a nearly full one has it in pieces
constexpr double kFreeOver = 1.5;     ///< free memory over the request: the device was not full

RefusalCause CauseOf(const FactSet& facts, const Subject& subject) {
  const auto number = [&](FactId id) { return facts.Number(id, subject); };
  const Reading<double> request = number(FactId::kAllocRequest);
  const Reading<double> free = number(FactId::kAllocFree);
  const Reading<double> total = number(FactId::kAllocTotal);
  const Reading<double> spare = number(FactId::kAllocUnallocated);
  const Reading<double> reserved = number(FactId::kAllocReserved);
  const Reading<double> others = number(FactId::kAllocElsewhere);
  const bool roomy = !total || (free && *free >= kFreePart * *total);
  if (request && free && *free >= kFreeOver * *request && roomy) return RefusalCause::kElsewhere;
  // A message that was cut, or was worded without what was free: too little to say why.
  if (total && !free) return RefusalCause::kUnknown;
  // Larger than the board, or than all of it that others leave: nobody's fault but the size's.
  if (others && total && *others >= kOthersPart * *total && (!request || *request < *total))
    return RefusalCause::kOtherProcess;
  if (request && spare && reserved && *spare >= *request && *spare >= kSparePart * *reserved)
    return RefusalCause::kFragmented;
  return RefusalCause::kTooSmall;
}

}  // namespace

RuleResult Refused(const StatedClaim& claim, const FactSet& facts, RefusalCause cause) {
  for (const Fact* line : AllOf(facts, {FactId::kAllocLine})) {
    if (CauseOf(facts, line->subject) != cause) continue;
    std::vector<const Fact*> evidence{line};
    for (const FactId id :
         {FactId::kAllocRequest, FactId::kAllocTotal, FactId::kAllocFree, FactId::kAllocReserved,
          FactId::kAllocUnallocated, FactId::kAllocElsewhere}) {
      const Fact* fact = facts.Find(id, line->subject);
      if (IsNumber(fact)) evidence.push_back(fact);
    }
    RuleResult result = Stated(claim, evidence);
    // A message without figures only says that it was refused.
    if (evidence.size() == 1) {
      Finding& finding = result.findings.front();
      finding.confidence = Confidence::kLow;
      finding.title = _("Memory of the GPU was refused");
      finding.meaning =
          _("Memory of the GPU was refused. The message gives no figures: whether the job itself "
            "or another process holds the rest it does not tell.");
      finding.decision = _("See who holds the memory before making the job smaller.");
    }
    return result;
  }
  return {};
}

}  // namespace gpuwhy
