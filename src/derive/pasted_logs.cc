#include "derive/log_facts.h"
#include "derive/pasted.h"

namespace gpuwhy {

void DerivePastedLogs(const Capture& capture, FactSet& facts) {
  DeriveLogs(capture.pasted.logs.texts, facts);
}

}  // namespace gpuwhy
