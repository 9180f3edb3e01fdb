#include "derive/pasted.h"

namespace gpuwhy {

void DerivePastedLogs(const Capture& /*capture*/, FactSet& /*facts*/) {}

}  // namespace gpuwhy
