#include "derive/pasted.h"

#include "base/i18n.h"
#include "derive/pasted_host.h"

namespace gpuwhy {

void DerivePasted(const Capture& capture, FactSet& facts) {
  facts.pasted = true;
  DerivePastedGpus(capture, facts);
  DerivePastedLinks(capture, facts);
  DerivePastedLogs(capture, facts);
  DerivePastedCpu(capture.pasted.host, facts);
  DerivePastedIo(capture.pasted.host, facts);
  DerivePastedProcesses(capture.pasted, facts);
  if (!facts.step) {
    facts.blinds.push_back({_("the job's own progress: step time or throughput"),
                            _("no training log is among the outputs"),
                            _("add the job's log, or run gpuwhy diagnose beside the job"),
                            {"job.healthy"}});
  }
}

}  // namespace gpuwhy
