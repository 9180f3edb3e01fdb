// How a training loop ran, out of its log.
#pragma once

#include "capture/pasted_logs.h"
#include "derive/log_writer.h"

namespace gpuwhy {

void DeriveTraining(const TrainingLog& log, LogWriter& writer, FactSet& facts);

}  // namespace gpuwhy
