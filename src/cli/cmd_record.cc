#include <memory>
#include <utility>

#include "base/i18n.h"
#include "base/text.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/deliver.h"
#include "cli/live.h"
#include "cli/output.h"
#include "cli/recording_writer.h"
#include "cli/signals.h"
#include "cli/watch.h"
#include "report/json.h"

namespace gpuwhy {
namespace {

LiveOptions Live(const RecordOptions& options, const PolicyText& policy, StopSignals& signals,
                 RecordingWriter& recording) {
  LiveOptions live;
  live.pid = options.watch.pid;
  live.duration = options.watch.duration;
  live.policy_toml = policy.toml;
  live.nvml = options.watch.nvml;
  live.stop = &signals.Flag();
  live.recording = &recording;
  live.progress = Progress(options.render);
  return live;
}

}  // namespace

int RunRecord(const RecordOptions& options) {
  const Status recording_file = CheckWritten("-o", options.file, {options.watch.policy_path});
  if (!recording_file.ok()) return Refuse(recording_file.error());
  const Status output = CheckOutput(options.render, {options.file, options.watch.policy_path});
  if (!output.ok()) return Refuse(output.error());
  const Result<PolicyText> policy = ReadPolicy(options.watch.policy_path);
  if (!policy.ok()) return Refuse(policy.error());
  const Status process = CheckProcess(options.watch.pid);
  if (!process.ok()) return Refuse(process.error());
  Result<std::unique_ptr<AppendFile>> file = CreateAppendFile(options.file);
  if (!file.ok()) return Refuse(file.error());

  StopSignals signals;
  RecordingWriter recording(*std::move(file));
  const Capture capture = WatchHost(Live(options, *policy, signals, recording));
  // From here on nothing touches the machine but the writing of the results.
  const Diagnosis diagnosis = Answer(capture, policy->policy, "live", {});
  const Status recorded = recording.Finish(capture, RenderJson(diagnosis));
  if (!recorded.ok()) return Refuse(recorded.error());
  const Status written = Deliver(diagnosis, options.render);
  if (!written.ok()) return Refuse(written.error());
  if (!options.render.quiet) {
    // A name with a dash in front would be read as an option.
    const std::string path = options.file.starts_with('-') ? "./" + options.file : options.file;
    Say(Format(_("recorded in {}; replay it with: gpuwhy diagnose --from {}"),
               Printable(options.file), ShellQuote(path)));
  }
  return diagnosis.measured ? kExitNothing : kExitUnmeasured;
}

}  // namespace gpuwhy
