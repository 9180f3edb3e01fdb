#include <string>
#include <utility>
#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/xid_numbers.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult XidApplication(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{"xid.application",
                               Severity::kInfo,
                               Confidence::kHigh,
                               N_("A program did something illegal on the GPU"),
                               N_("The Xid stands for an exception that the program itself causes, "
                                  "like an access out of bounds. The GPU is sound."),
                               N_("Look at the program, not at the hardware."),
                               N_("Run it with compute-sanitizer. Only where many different "
                                  "programs meet it on one GPU is that one suspect."),
                               "dmesg -T | grep -i xid"};
  const std::vector<const Fact*> lines = AllOf(facts, {FactId::kSaidXidApplication});
  RuleResult result = Stated(kClaim, lines);
  const std::string numbers = XidText(XidsIn(lines));
  for (Finding& finding : result.findings) {
    if (!numbers.empty()) finding.title += " (" + numbers + ")";
  }
  return result;
}

}  // namespace gpuwhy
