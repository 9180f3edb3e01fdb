// Facts of refused allocations, profiler and bandwidth tables, ports and host texts.
#pragma once

#include "capture/pasted_logs.h"
#include "derive/log_writer.h"

namespace gpuwhy {

// Each adds what one kind of table in the text shows, in the units of the catalogue (bytes,
// seconds, shares), with the lines as evidence; nothing where the text has none.
void DeriveRefused(const LogText& log, LogWriter& writer);
void DeriveProfiles(const LogText& log, LogWriter& writer);
void DeriveBandwidths(const LogText& log, LogWriter& writer);
void DerivePorts(const LogText& log, LogWriter& writer);
void DeriveHostTexts(const LogText& log, LogWriter& writer);

}  // namespace gpuwhy
