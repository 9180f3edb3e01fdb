// Facts of refused allocations, profiler and bandwidth tables, ports and host texts.
#pragma once

#include "capture/pasted_logs.h"
#include "derive/log_writer.h"

namespace gpuwhy {

void DeriveRefused(const LogText& log, LogWriter& writer);
void DeriveProfiles(const LogText& log, LogWriter& writer);
void DeriveBandwidths(const LogText& log, LogWriter& writer);
void DerivePorts(const LogText& log, LogWriter& writer);
void DeriveHostTexts(const LogText& log, LogWriter& writer);

}  // namespace gpuwhy
