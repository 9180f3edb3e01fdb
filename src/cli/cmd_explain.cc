#include <fmt/format.h>

#include <string>

#include "base/i18n.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/watch.h"
#include "diagnose/explain.h"
#include "report/coverage.h"

namespace gpuwhy {

int RunExplain(const ExplainOptions& options) {
  if (options.coverage) {
    const Status written =
        WriteStdout(options.format == ReportFormat::kJson ? CoverageJson() : CoverageText());
    return written.ok() ? kExitNothing : Refuse(written.error());
  }
  const std::string words = fmt::format("{}", fmt::join(options.words, " "));
  if (SearchFindings(words).empty()) {
    return Refuse({Format(_("no finding has \"{}\" in its id or meaning; gpuwhy explain lists all"),
                          Printable(words)),
                   "", 0});
  }
  const Status written = WriteStdout(Explain(words));
  return written.ok() ? kExitNothing : Refuse(written.error());
}

}  // namespace gpuwhy
