// Which formats a text can't hold: one pass for words and marks without which a format does not
// recognise anything, so that long logs are not searched once for each.
#pragma once

#include <cstdint>
#include <span>

#include "parse/logs/word_search.h"
#include "parse/paste/section.h"

namespace gpuwhy {

/// What a format needs at least; one bit a format or a family of them.
enum Sign : std::uint32_t {
  kSignTable = 1U << 0U,
  kSignQuery = 1U << 1U,
  kSignXml = 1U << 2U,
  kSignCsv = 1U << 3U,
  kSignMonitor = 1U << 4U,
  kSignListed = 1U << 5U,
  kSignTopo = 1U << 6U,
  kSignLspci = 1U << 7U,
  kSignModules = 1U << 8U,
  kSignMessage = 1U << 9U,
  kSignSysstat = 1U << 10U,    ///< mpstat, iostat, sar and their JSON
  kSignProcesses = 1U << 11U,  ///< top, ps, pidstat
  kSignMemory = 1U << 12U,     ///< vmstat, meminfo
  kSignMounts = 1U << 13U,     ///< df, nfsiostat, mountstats
  kSignMachine = 1U << 14U,    ///< lscpu, numactl, /proc/stat, the first line of sysstat
  kSignNet = 1U << 15U,        ///< ethtool, ibdev2netdev
  kSignKnown = 1U << 16U,      ///< outputs that are named and hold no figure
};

/// Words that make a sign.
[[nodiscard]] std::span<const MarkedWord> SignWords();
/// The signs that a section holds; marks: those of its words. May name one too many, never one too
/// few.
[[nodiscard]] std::uint32_t SignsIn(const Section& section, std::uint32_t marks);

}  // namespace gpuwhy
