// The readers of host tools and files, one file each: the two functions of PasteFormat.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "parse/paste/recogniser.h"

namespace gpuwhy {

/// mpstat of any version, with or without -P ALL, and sar -u.
[[nodiscard]] std::optional<Match> RecogniseMpstat(const Section& section, std::size_t from);
void ReadMpstat(const Section& section, const Match& match, Pasted& into,
                std::vector<Problem>& problems);
/// iostat with and without -x, from sysstat 9 on.
[[nodiscard]] std::optional<Match> RecogniseIostat(const Section& section, std::size_t from);
void ReadIostat(const Section& section, const Match& match, Pasted& into,
                std::vector<Problem>& problems);
/// iostat and mpstat with -o JSON.
[[nodiscard]] std::optional<Match> RecogniseSysstatJson(const Section& section, std::size_t from);
void ReadSysstatJson(const Section& section, const Match& match, Pasted& into,
                     std::vector<Problem>& problems);
[[nodiscard]] std::optional<Match> RecogniseVmstat(const Section& section, std::size_t from);
void ReadVmstat(const Section& section, const Match& match, Pasted& into,
                std::vector<Problem>& problems);
/// nfsiostat, old and new layout.
[[nodiscard]] std::optional<Match> RecogniseNfsiostat(const Section& section, std::size_t from);
void ReadNfsiostat(const Section& section, const Match& match, Pasted& into,
                   std::vector<Problem>& problems);
/// /proc/PID/mountstats; two copies give rates.
[[nodiscard]] std::optional<Match> RecogniseMountstats(const Section& section, std::size_t from);
void ReadMountstats(const Section& section, const Match& match, Pasted& into,
                    std::vector<Problem>& problems);
/// top, with threads or without, of any column choice.
[[nodiscard]] std::optional<Match> RecogniseTop(const Section& section, std::size_t from);
void ReadTop(const Section& section, const Match& match, Pasted& into,
             std::vector<Problem>& problems);
/// ps of any column choice.
[[nodiscard]] std::optional<Match> RecognisePs(const Section& section, std::size_t from);
void ReadPs(const Section& section, const Match& match, Pasted& into,
            std::vector<Problem>& problems);
/// pidstat -u, -d, -w, -r and -t.
[[nodiscard]] std::optional<Match> RecognisePidstat(const Section& section, std::size_t from);
void ReadPidstat(const Section& section, const Match& match, Pasted& into,
                 std::vector<Problem>& problems);
/// free, with any unit, wide or not, of any version.
[[nodiscard]] std::optional<Match> RecogniseFree(const Section& section, std::size_t from);
void ReadFree(const Section& section, const Match& match, Pasted& into,
              std::vector<Problem>& problems);
[[nodiscard]] std::optional<Match> RecogniseMeminfo(const Section& section, std::size_t from);
void ReadMeminfo(const Section& section, const Match& match, Pasted& into,
                 std::vector<Problem>& problems);
/// /proc/stat; two copies give shares of now.
[[nodiscard]] std::optional<Match> RecogniseProcStat(const Section& section, std::size_t from);
void ReadProcStat(const Section& section, const Match& match, Pasted& into,
                  std::vector<Problem>& problems);
[[nodiscard]] std::optional<Match> RecogniseDf(const Section& section, std::size_t from);
void ReadDf(const Section& section, const Match& match, Pasted& into,
            std::vector<Problem>& problems);
[[nodiscard]] std::optional<Match> RecogniseLscpu(const Section& section, std::size_t from);
void ReadLscpu(const Section& section, const Match& match, Pasted& into,
               std::vector<Problem>& problems);
/// numactl -H.
[[nodiscard]] std::optional<Match> RecogniseNumactl(const Section& section, std::size_t from);
void ReadNumactl(const Section& section, const Match& match, Pasted& into,
                 std::vector<Problem>& problems);
/// The first line of sysstat's tools, which tells how many CPUs there are.
[[nodiscard]] std::optional<Match> RecogniseBanner(const Section& section, std::size_t from);
void ReadBanner(const Section& section, const Match& match, Pasted& into,
                std::vector<Problem>& problems);
[[nodiscard]] std::optional<Match> RecogniseEthtool(const Section& section, std::size_t from);
void ReadEthtool(const Section& section, const Match& match, Pasted& into,
                 std::vector<Problem>& problems);
/// ibdev2netdev.
[[nodiscard]] std::optional<Match> RecogniseIbdev(const Section& section, std::size_t from);
void ReadIbdev(const Section& section, const Match& match, Pasted& into,
               std::vector<Problem>& problems);

}  // namespace gpuwhy
