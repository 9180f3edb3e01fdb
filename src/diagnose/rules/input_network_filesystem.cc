#include "diagnose/rules/input_network_filesystem.h"

#include "base/i18n.h"
#include "diagnose/rules/host/host_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult InputNetworkFilesystem(const FactSet& facts, const Policy& policy) {
  constexpr StatedClaim kClaim{
      "input.network-filesystem",
      Severity::kWarning,
      Confidence::kMedium,
      N_("Processes wait for an NFS server"),
      N_("The stack or the kernel log shows a wait for an answer of NFS. Until it comes the "
         "process can't even be ended."),
      N_("Look at the server and the way to it, not at the GPU."),
      N_("Check the server's load and the network between; stage the data on a local disk."),
      "nfsiostat 5 3"};
  RuleResult result =
      Stated(kClaim, AllOf(facts, {FactId::kSaidRpcWait, FactId::kSaidNfsNotResponding}));
  if (result.findings.empty()) return HostNetworkFilesystem(facts, policy);
  return result;
}

}  // namespace gpuwhy
