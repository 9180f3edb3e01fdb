#include "base/i18n.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/deliver.h"
#include "cli/node.h"
#include "cli/output.h"
#include "cli/watch.h"

namespace gpuwhy {

int RunCheck(const CheckOptions& options) {
  const Result<PolicyText> policy = ReadPolicy(options.policy_path);
  if (!policy.ok()) return Refuse(policy.error());
  const Capture capture = LookAtNode({policy->toml, options.nvml, options.deadline});
  // From here on nothing touches the machine.
  const Diagnosis diagnosis = AnswerNode(capture, policy->policy);
  const Status written = Deliver(diagnosis, options.render);
  return written.ok() ? ExitCode(diagnosis, options.fail_on) : Refuse(written.error());
}

}  // namespace gpuwhy
