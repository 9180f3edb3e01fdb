#include "cli/options.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <sstream>
#include <string_view>

#include <CLI/CLI.hpp>

#include "base/i18n.h"
#include "base/text.h"
#include "cli/duration.h"
#include "cli/version.h"

namespace gpuwhy {
namespace {

// Linux's PID_MAX_LIMIT.
constexpr int kLargestPid = 4'194'304;

struct Parsed {
  DiagnoseOptions diagnose;
  CheckOptions check;
  RecordOptions record;
  TraceOptions trace;
  ExplainOptions explain;
  std::string language;
};

// An empty variable in a script is a mistake, not a wish for the default.
CLI::Validator IsNamed() {
  return {[](const std::string& file) {
            return file.empty() ? std::string(_("the name of a file is needed")) : std::string();
          },
          ""};
}

void AddPolicy(CLI::App& command, std::string& path) {
  command.add_option("--policy", path, _("Thresholds and what the site expects, a TOML file"))
      ->type_name("F")
      ->check(IsNamed());
}

void AddNvml(CLI::App& command, std::string& nvml) {
  command
      .add_option("--nvml", nvml,
                  _("Open this library instead of the driver's libnvidia-ml.so.1, also where no "
                    "driver is loaded"))
      ->type_name("PATH")
      ->check(IsNamed());
}

/// A duration that is taken as ParseDuration() reads it.
CLI::Option* AddDuration(CLI::App& command, const std::string& name, Nanos& target,
                         const std::string& text) {
  return command
      .add_option_function<std::string>(
          name,
          [&target, name](const std::string& given) {
            const std::optional<Nanos> duration = ParseDuration(given);
            if (!duration) {
              throw CLI::ValidationError(
                  name,
                  Format(_("{} is no duration from 500ms to 24h (10, 10s, 2m)"), Printable(given)));
            }
            target = *duration;
          },
          text)
      ->type_name("S");
}

void AddWatchOptions(CLI::App& command, WatchOptions& watch) {
  command
      .add_option("--pid", watch.pid,
                  _("The first process of the job; without it the job is found"))
      ->type_name("N")
      ->check(CLI::Range(1, kLargestPid).description(""));
  AddDuration(
      command, "--duration", watch.duration,
      _("How long to watch: 10, 500ms, 2m (default 10 seconds); the answer covers the last 5\n"
        "minutes of it"));
  AddPolicy(command, watch.policy_path);
  AddNvml(command, watch.nvml);
}

CLI::Option* AddFormat(CLI::App& command, ReportFormat& format, const char* schema) {
  const std::map<std::string, ReportFormat> formats = {{"text", ReportFormat::kText},
                                                       {"json", ReportFormat::kJson}};
  return command
      .add_option_function<std::string>(
          "--format", [&format, formats](const std::string& name) { format = formats.at(name); },
          Format(_("Of the result: text (default) or json (schema {})"), schema))
      ->type_name("text|json")
      ->check(CLI::IsMember(std::vector<std::string>{"text", "json"}).description(""));
}

void AddRenderOptions(CLI::App& command, RenderOptions& render,
                      const char* schema = "gpuwhy.diagnosis/1") {
  AddFormat(command, render.format, schema);
  command
      .add_option("--output", render.output,
                  _("Write the result to this file, whole or not at all, instead of to stdout"))
      ->type_name("F")
      ->check(IsNamed());
  CLI::Option* verbose =
      command.add_flag("-v,--verbose", render.verbose,
                       _("Every finding in full, the jobs seen, the tool's own cost"));
  command
      .add_flag("-q,--quiet", render.quiet,
                _("As text: only the answer and its alerts. No progress"))
      ->excludes(verbose);
  command.add_flag("--no-color", render.no_color,
                   _("No colours (NO_COLOR does the same; a file or pipe never gets any)"));
}

void AddLanguage(CLI::App& command, std::string& language,
                 const std::vector<std::string>& languages) {
  command.add_option("--lang", language, _("Language of all texts; ids and JSON keys stay"))
      ->type_name(fmt::format("{}", fmt::join(languages, "|")))
      ->check(CLI::IsMember(languages).description(""));
}

void AddFailOn(CLI::App& command, FailOn& fail_on, const std::string& text) {
  const std::map<std::string, FailOn> actions = {
      {"any", FailOn::kAny}, {"fix", FailOn::kFix}, {"drain", FailOn::kDrain}};
  command
      .add_option_function<std::string>(
          "--fail-on", [&fail_on, actions](const std::string& name) { fail_on = actions.at(name); },
          text)
      ->type_name("any|fix|drain")
      ->check(CLI::IsMember(std::vector<std::string>{"any", "fix", "drain"}).description(""));
}

// In the overview under "Commands"; its own help flag was made before the group had a name.
void Place(CLI::App& command) {
  command.group(_("Commands"));
  command.get_help_ptr()->group(_("Options"));
}

void AddDiagnose(CLI::App& app, Parsed& parsed, const std::vector<std::string>& languages) {
  CLI::App* command =
      app.add_subcommand("diagnose", _("Say why the GPU job of this host is slow, or of a "
                                       "recording, trace or output of other tools"));
  Place(*command);
  DiagnoseOptions& options = parsed.diagnose;
  AddWatchOptions(*command, options.watch);
  command
      ->add_option("--from", options.from,
                   _("Diagnose a recording, profiler traces, or saved outputs and logs, instead of "
                     "this host: files, folders,\n- for stdin"))
      ->type_name("PATH")
      ->expected(1, -1)
      ->excludes(command->get_option("--duration"));
  AddFailOn(*command, options.fail_on,
            _("Exit with 1 if a finding calls for this action or a more urgent one (default fix)"));
  AddRenderOptions(*command, options.render);
  AddLanguage(*command, parsed.language, languages);
  command->footer(
      _("Exit codes: 0 no finding calls for the action of --fail-on; 1 one does; 2 wrong use or\n"
        "unreadable input; 3 nothing could be measured.\n"
        "\n"
        "Examples:\n"
        "  gpuwhy diagnose                           find the job and watch it for 10 seconds\n"
        "  gpuwhy diagnose --pid 4242 --duration 1m  watch this one, longer\n"
        "  gpuwhy diagnose --from job.gpuwhy         what a recording shows\n"
        "  gpuwhy diagnose --from ticket.txt         what pasted outputs and logs show\n"
        "  gpuwhy diagnose --format json | jq .verdict"));
}

void AddCheck(CLI::App& app, Parsed& parsed, const std::vector<std::string>& languages) {
  CLI::App* command = app.add_subcommand(
      "check", _("Say whether this node is sound: devices, links, driver, kernel log; no job is "
                 "looked at"));
  Place(*command);
  CheckOptions& options = parsed.check;
  AddPolicy(*command, options.policy_path);
  AddNvml(*command, options.nvml);
  AddDuration(
      *command, "--deadline", options.deadline,
      _("What the driver's library gets to start (default 10 seconds); what the bus says is "
        "told either way"));
  AddFailOn(
      *command, options.fail_on,
      _("Exit with 1 if a finding calls for this action or a more urgent one (default drain)"));
  AddRenderOptions(*command, options.render);
  AddLanguage(*command, parsed.language, languages);
  command->footer(
      _("Exit codes: 0 no finding calls for the action of --fail-on, also on a node without GPUs; "
        "1 one\ndoes; 2 wrong use; 3 nothing could be measured.\n"
        "\n"
        "Examples:\n"
        "  gpuwhy check                              at boot, or before a job\n"
        "  gpuwhy check --fail-on fix --quiet"));
}

void AddRecord(CLI::App& app, Parsed& parsed, const std::vector<std::string>& languages) {
  CLI::App* command = app.add_subcommand(
      "record", _("Diagnose this host and keep all that was seen in a file, to replay or to send"));
  Place(*command);
  RecordOptions& options = parsed.record;
  command->add_option("-o", options.file, _("The recording to write; replaced where it exists"))
      ->type_name("FILE")
      ->check(CLI::Validator(
          [](const std::string& file) {
            // The answer goes to stdout already, and --from - would read stdin, not a file "-".
            return file == "-" ? std::string(_("a recording is written to a file, not to stdout"))
                               : std::string();
          },
          ""))
      ->required();
  AddWatchOptions(*command, options.watch);
  AddRenderOptions(*command, options.render);
  AddLanguage(*command, parsed.language, languages);
  command->footer(_(
      "The file grows each second, and holds what was seen even if gpuwhy is killed. It holds "
      "names\n"
      "of processes, files and mounts, what devices, links and modules say of themselves (with the "
      "ids\n"
      "of GPUs), and lines of the kernel's log that tell of faults; no command lines, no "
      "data, and\n"
      "of the job's environment only settings of CUDA, NCCL and thread pools.\n"
      "Exit codes: 0 recorded; 2 wrong use or unwritable file; 3 nothing could be measured.\n"
      "\n"
      "Examples:\n"
      "  gpuwhy record -o job.gpuwhy --duration 1m\n"
      "  gpuwhy record -o job.gpuwhy --pid 4242\n"
      "  gpuwhy diagnose --from job.gpuwhy         replays it"));
}

void AddTraceModes(CLI::App& command, TraceOptions& options) {
  const auto add = [&](const char* name, TraceMode mode, const std::string& help) {
    return command.add_flag_callback(
        name, [&options, mode] { options.mode = mode; }, help);
  };
  CLI::Option* compare = add("--compare", TraceMode::kCompare,
                             _("Say what moved from the first of two traces to the second (schema "
                               "gpuwhy.trace-compare/1)"));
  CLI::Option* summary =
      add("--summary", TraceMode::kSummary,
          _("Write what other ranks are compared with, a small file, where the trace lies"));
  CLI::Option* merge =
      add("--merge", TraceMode::kMerge, _("The files are summaries: the same as of their traces"));
  compare->excludes(summary)->excludes(merge);
  summary->excludes(merge);
  command.callback([&options] {
    if (options.mode == TraceMode::kCompare && options.files.size() != 2)
      throw CLI::ValidationError("--compare", _("two files: one before, one after"));
  });
}

void AddTrace(CLI::App& app, Parsed& parsed, const std::vector<std::string>& languages) {
  CLI::App* command = app.add_subcommand(
      "trace", _("Say where the time of each step goes, by profiler traces of one rank or many"));
  command
      ->add_option(
          "files", parsed.trace.files,
          _("Traces of PyTorch (JSON, also .gz, .tar.gz, .zip), Nsight Systems (.sqlite), JAX or "
            "TensorFlow (.xplane.pb, JSON)"))
      ->type_name("FILE")
      ->required();
  AddTraceModes(*command, parsed.trace);
  Place(*command);
  AddRenderOptions(*command, parsed.trace.render, "gpuwhy.trace/1");
  AddLanguage(*command, parsed.language, languages);
  command->footer(
      _("Several files are taken for the ranks of one job.\n"
        "Exit codes: 0 read; 2 wrong use, or a file that can't be read; 3 no device work in it.\n"
        "\n"
        "Examples:\n"
        "  gpuwhy trace trace.json.gz\n"
        "  gpuwhy trace rank*.json.gz                which rank is late, and why\n"
        "  gpuwhy trace --compare old.json.gz new.json.gz\n"
        "  srun sh -c 'gpuwhy trace --summary --output sum.$SLURM_PROCID "
        "rank$SLURM_PROCID.json.gz'\n"
        "  gpuwhy trace --merge $(ls -v sum.*)       the same as of all traces at once\n"
        "  gpuwhy trace report.sqlite --format json | jq '.files[0].whole.parts_ns'"));
}

void AddExplain(CLI::App& app, Parsed& parsed, const std::vector<std::string>& languages) {
  CLI::App* command =
      app.add_subcommand("explain", _("Say what a finding means; without an ID, list them all"));
  command->add_option("words", parsed.explain.words, _("An id, or words to look for"))
      ->type_name(_("[ID or words]"));
  CLI::Option* coverage = command->add_flag(
      "--coverage", parsed.explain.coverage,
      _("Which findings this version delivers: their rules, inputs that show them, near misses"));
  AddFormat(*command, parsed.explain.format, "gpuwhy.coverage/1")->needs(coverage);
  Place(*command);
  AddLanguage(*command, parsed.language, languages);
  command->footer(
      _("Exit codes: 0 found; 2 nothing by that name.\n"
        "\n"
        "Examples:\n"
        "  gpuwhy explain input.metadata-storm\n"
        "  gpuwhy explain small files\n"
        "  gpuwhy explain --coverage"));
}

Options Chosen(const CLI::App& app, Parsed& parsed) {
  if (app.got_subcommand("diagnose")) return std::move(parsed.diagnose);
  if (app.got_subcommand("check")) return std::move(parsed.check);
  if (app.got_subcommand("record")) return std::move(parsed.record);
  if (app.got_subcommand("trace")) return std::move(parsed.trace);
  return std::move(parsed.explain);
}

void SetUp(CLI::App& app, Parsed& parsed, const std::vector<std::string>& languages) {
  app.option_defaults()->group(_("Options"));
  app.set_help_flag("-h,--help", _("Print this help"));
  app.set_version_flag("--version", VersionText(), _("Print version, commit and optional parts"));
  AddLanguage(app, parsed.language, languages);
  app.require_subcommand(0, 1);
  AddDiagnose(app, parsed, languages);
  AddCheck(app, parsed, languages);
  AddRecord(app, parsed, languages);
  AddTrace(app, parsed, languages);
  AddExplain(app, parsed, languages);
  app.footer(
      _("gpuwhy COMMAND --help tells the options of one command.\n"
        "\n"
        "Examples:\n"
        "  gpuwhy diagnose                      why is the job on this host slow?\n"
        "  gpuwhy record -o job.gpuwhy          the same, kept in a file\n"
        "  gpuwhy diagnose --from job.gpuwhy    replays it\n"
        "  gpuwhy trace trace.json.gz           where the time of each step goes\n"
        "  gpuwhy explain input.metadata-storm  what a finding means"));
}

void Translate(CLI::Formatter& formatter) {
  formatter.column_width(26);
  formatter.label("OPTIONS", _("OPTIONS"));
  formatter.label("SUBCOMMAND", _("COMMAND"));
  formatter.label("Usage", _("Usage"));
  formatter.label("Positionals", _("Arguments"));
  formatter.label("REQUIRED", _("(required)"));
  formatter.label("Excludes", _("not with"));
  formatter.label("Needs", _("only with"));
}

}  // namespace

Options ParseOptions(int argc, const char* const* argv, const std::vector<std::string>& languages) {
  Parsed parsed;
  CLI::App app(_("gpuwhy names the first scarce resource of a slow GPU job."), "gpuwhy");
  const std::shared_ptr<CLI::Formatter> formatter = std::make_shared<CLI::Formatter>();
  Translate(*formatter);
  app.formatter(formatter);
  SetUp(app, parsed, languages);
  // CLI11 tells everything that ends the parse, help too, by throwing; it goes no further than
  // this.
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream err;
    const bool failed = app.exit(error, out, err) != 0;
    if (!failed) return Ended{kExitNothing, out.str()};
    return Ended{kExitUsage, Format(_("gpuwhy: {}"), Printable(Trim(error.what()))) + "\n" +
                                 _("gpuwhy --help tells what there is.") + "\n"};
  }
  if (app.get_subcommands().empty()) return Ended{kExitUsage, app.help()};
  return Chosen(app, parsed);
}

std::string AskedLanguage(int argc, const char* const* argv) {
  constexpr std::string_view kOption = "--lang";
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == kOption && i + 1 < argc) return argv[i + 1];
    if (argument.starts_with("--lang=")) return std::string(argument.substr(kOption.size() + 1));
  }
  return "";
}

}  // namespace gpuwhy
