// How a training loop ran, out of its log.
#pragma once

#include "capture/pasted_logs.h"
#include "derive/log_writer.h"

namespace gpuwhy {

/// log.*: seconds for times, 0..1 for shares of the step; fills in facts.step where the log gives
/// the time of steps. n of a fact: the steps or lines behind it.
void DeriveTraining(const TrainingLog& log, LogWriter& writer, FactSet& facts);

}  // namespace gpuwhy
