#include "cli/run_command.h"

#include <string>
#include <variant>

#include "base/i18n.h"
#include "cli/catalogues.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/watch.h"

namespace gpuwhy {
namespace {

struct Command {
  int operator()(const Ended& ended) const {
    if (ended.code == kExitNothing) {
      const Status written = WriteStdout(ended.text);
      return written.ok() ? ended.code : Refuse(written.error());
    }
    Say(ended.text);
    return ended.code;
  }
  int operator()(const DiagnoseOptions& options) const { return RunDiagnose(options); }
  int operator()(const CheckOptions& options) const { return RunCheck(options); }
  int operator()(const RecordOptions& options) const { return RunRecord(options); }
  int operator()(const TraceOptions& options) const { return RunTrace(options); }
  int operator()(const ExplainOptions& options) const { return RunExplain(options); }
};

}  // namespace

int RunCommand(int argc, char** argv) {
  // The language first: help and errors of the options are in it too. No other thread runs yet.
  const std::string folder = CatalogueFolder();
  InitTranslations(AskedLanguage(argc, argv), folder);
  const Options options = ParseOptions(argc, argv, Languages(folder));
  // From here on what is asked for is fixed.
  return std::visit(Command{}, options);
}

}  // namespace gpuwhy
