#include <algorithm>
#include <utility>
#include <vector>

#include "base/i18n.h"
#include "base/text.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/deliver.h"
#include "cli/inputs.h"
#include "cli/live.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "cli/watch.h"
#include "parse/live/inventory.h"

namespace gpuwhy {
namespace {

int Finish(const Diagnosis& diagnosis, const DiagnoseOptions& options) {
  const Status written = Deliver(diagnosis, options.render);
  return written.ok() ? ExitCode(diagnosis, options.fail_on) : Refuse(written.error());
}

int DiagnoseHost(const DiagnoseOptions& options, const PolicyText& policy) {
  const Status process = CheckProcess(options.watch.pid);
  if (!process.ok()) return Refuse(process.error());
  StopSignals signals;
  LiveOptions live;
  live.pid = options.watch.pid;
  live.duration = options.watch.duration;
  live.policy_toml = policy.toml;
  live.nvml = options.watch.nvml;
  live.stop = &signals.Flag();
  live.progress = Progress(options.render);
  const Capture capture = WatchHost(live);
  // From here on nothing touches the machine.
  return Finish(Answer(capture, policy.policy, "live", {}), options);
}

// The policy that the recording was made with, unless another is given now.
Result<Policy> PolicyFor(const Capture& capture, const DiagnoseOptions& options,
                         const PolicyText& given) {
  if (!options.watch.policy_path.empty() || capture.run.policy_toml.empty()) return given.policy;
  return ParsePolicy(capture.run.policy_toml, _("policy in the recording"));
}

// A wrong folder has thousands of files: the first few tell what it is.
void RefuseAll(const std::vector<Error>& errors) {
  constexpr std::size_t kMostLines = 10;
  for (std::size_t i = 0; i < std::min(errors.size(), kMostLines); ++i) {
    static_cast<void>(Refuse(errors[i]));
  }
  if (errors.size() > kMostLines) Say(Format(_("gpuwhy: and {} more"), errors.size() - kMostLines));
}

int RefuseInputs(const Inputs& inputs) {
  std::vector<Error> errors;
  for (const InputReport& report : inputs.reports) {
    if (report.recognised_as.empty() && report.problems.empty()) {
      errors.push_back({_("not recognised: no recording, profiler trace, or output that is known"),
                        Printable(report.name), 0});
    }
  }
  RefuseAll(errors);
  if (inputs.reports.empty() && inputs.errors.empty()) {
    static_cast<void>(Refuse({_("there is no file in it"), "--from", 0}));
  }
  return kExitUsage;
}

int DiagnoseTraces(Inputs inputs, const DiagnoseOptions& options, const PolicyText& given) {
  const trace::TraceReport report = inputs.traces.Finish();
  for (InputReport& input : inputs.reports) {
    if (!input.used || input.recognised_as == kTraceInput) continue;
    input.used = false;
    input.problems.emplace_back(_("not used: profiler traces are diagnosed by themselves"));
  }
  return Finish(AnswerTrace(report, given.policy, std::move(inputs.reports)), options);
}

// Outputs of other tools. Where not one was recognised a JSON reader still gets the list of inputs.
int DiagnosePasted(Inputs inputs, const DiagnoseOptions& options, const PolicyText& given) {
  const bool any = inputs.pasted.any;
  const int refused = any ? kExitNothing : RefuseInputs(inputs);
  const bool json = options.render.format == ReportFormat::kJson;
  if (!any && (!json || inputs.reports.empty())) return refused;
  Capture capture;
  capture.pasted = std::move(inputs.pasted);
  capture.pasted.any = true;
  const int exit_code =
      Finish(Answer(capture, given.policy, "captures", std::move(inputs.reports)), options);
  return any ? exit_code : refused;
}

int DiagnoseInputs(const DiagnoseOptions& options, const PolicyText& given) {
  Inputs inputs = ReadInputs(options.from);
  std::vector<std::string> read;
  for (const InputReport& report : inputs.reports) read.push_back(report.name);
  const Status output = CheckOutput(options.render, read);
  if (!output.ok()) return Refuse(output.error());
  RefuseAll(inputs.errors);
  if (!inputs.recording && !inputs.traces.Empty())
    return DiagnoseTraces(std::move(inputs), options, given);
  if (!inputs.recording) return DiagnosePasted(std::move(inputs), options, given);
  Capture& capture = inputs.recording->capture;
  ReadLiveTexts(capture);
  // A recording in which no job stood out holds looks at all of them: one may be chosen now.
  if (options.watch.pid != 0) capture.run.job_pid = capture.run.focus_pid = options.watch.pid;
  const Result<Policy> policy = PolicyFor(capture, options, given);
  if (!policy.ok()) return Refuse(policy.error());
  return Finish(Answer(capture, *policy, "recording", std::move(inputs.reports)), options);
}

}  // namespace

int RunDiagnose(const DiagnoseOptions& options) {
  const Status output = CheckOutput(options.render, {options.watch.policy_path});
  if (!output.ok()) return Refuse(output.error());
  const Result<PolicyText> policy = ReadPolicy(options.watch.policy_path);
  if (!policy.ok()) return Refuse(policy.error());
  return options.from.empty() ? DiagnoseHost(options, *policy) : DiagnoseInputs(options, *policy);
}

}  // namespace gpuwhy
