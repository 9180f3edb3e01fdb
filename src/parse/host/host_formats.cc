// The table of formats of host tools and files.
#include "parse/host/host_readers.h"

namespace gpuwhy {
namespace {

constexpr PasteFormat kFormats[] = {
    {"mpstat", RecogniseMpstat, ReadMpstat},
    {"iostat", RecogniseIostat, ReadIostat},
    {"sysstat JSON", RecogniseSysstatJson, ReadSysstatJson},
    {"vmstat", RecogniseVmstat, ReadVmstat},
    {"nfsiostat", RecogniseNfsiostat, ReadNfsiostat},
    {"mountstats", RecogniseMountstats, ReadMountstats, true},
    {"top", RecogniseTop, ReadTop},
    {"ps", RecognisePs, ReadPs},
    {"pidstat", RecognisePidstat, ReadPidstat},
    {"/proc/meminfo", RecogniseMeminfo, ReadMeminfo},
    {"/proc/stat", RecogniseProcStat, ReadProcStat, true},
    {"df", RecogniseDf, ReadDf},
    {"lscpu", RecogniseLscpu, ReadLscpu},
    {"numactl", RecogniseNumactl, ReadNumactl},
    {"ethtool", RecogniseEthtool, ReadEthtool},
    {"ibdev2netdev", RecogniseIbdev, ReadIbdev},
    {"", RecogniseBanner, ReadBanner, true},
};

}  // namespace

std::span<const PasteFormat> HostFormats() { return kFormats; }

}  // namespace gpuwhy
