// gpuwhy: why is my GPU job slow? DESIGN.md tells the way from here to the answer.
#include <exception>
#include <new>

#include "base/i18n.h"
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/run_command.h"
#include "cli/signals.h"

int main(int argc, char** argv) {
  using gpuwhy::Say;
  gpuwhy::ReserveStandardDescriptors();
  gpuwhy::IgnoreWriteSignals();
  // Failures are results, not exceptions. What gets here is memory that ran out (ulimit -v, or a
  // recording that is too large for this host) or a defect; what was recorded until then stays.
  try {
    return gpuwhy::RunCommand(argc, argv);
  } catch (const std::bad_alloc&) {
    Say(_("gpuwhy: out of memory"));
  } catch (const std::exception& problem) {
    Say(gpuwhy::Printable(problem.what()));
  }
  return gpuwhy::kExitUnmeasured;
}
