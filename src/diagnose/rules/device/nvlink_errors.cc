#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

// Since the driver was loaded. Links resend what they find damaged; dozens over months are no sign
// of a bad one. Own choice, at what health checks ask for of CRC errors within a second.
constexpr double kManyErrors = 100;

constexpr StatedClaim kCounted{
    "nvlink.errors",
    Severity::kWarning,
    Confidence::kLow,
    N_("An NVLink counts errors"),
    N_("The links of this GPU found damaged packets and sent them again since the driver was "
       "loaded. It costs where the count grows under load."),
    N_("Read the counters twice under load."),
    N_("nvidia-smi nvlink -e before and after some minutes of load names the link whose count "
       "grows; "
       "have its bridge, baseboard or cable looked at."),
    "nvidia-smi nvlink -e"};

}  // namespace

RuleResult NvlinkErrors(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "nvlink.errors",
      Severity::kCritical,
      Confidence::kHigh,
      N_("NVLink reported a fatal error"),
      N_("A link between GPUs or to a switch failed while in use; the jobs on it ended or hang."),
      N_("Drain the node and look at the links."),
      N_("nvidia-smi nvlink -s and -e name the link; reset all GPUs and switches of the system "
         "together; if it comes back, have board, baseboard or cable replaced."),
      "nvidia-smi nvlink -e"};
  RuleResult fatal = Stated(kClaim, AllOf(facts, {FactId::kSaidXidLink}));
  if (!fatal.findings.empty()) return fatal;
  std::vector<const Fact*> counted = NumbersOf(facts, FactId::kNvlinkErrors);
  std::erase_if(counted, [](const Fact* fact) { return fact->Number() < kManyErrors; });
  return Stated(kCounted, counted);
}

}  // namespace gpuwhy
