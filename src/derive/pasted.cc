#include "derive/pasted.h"

#include <algorithm>

#include "base/i18n.h"
#include "derive/contradictions.h"
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
  NoteContradictions(capture, facts);
  const bool any = std::any_of(facts.facts().begin(), facts.facts().end(),
                               [](const Fact& fact) { return fact.value.has(); });
  if (!any) {
    facts.blinds.push_back({_("what a rule could judge"),
                            _("the outputs were recognised, but hold no figure or message of a "
                              "GPU, a job or a host that is judged by itself"),
                            _("hand in nvidia-smi -q, the job's log and dmesg beside them"),
                            {}});
  }
  if (any && !facts.step) {
    facts.blinds.push_back({_("the job's own progress: step time or throughput"),
                            _("no training log is among the outputs"),
                            _("add the job's log, or run gpuwhy diagnose beside the job"),
                            {"job.healthy"}});
  }
}

}  // namespace gpuwhy
