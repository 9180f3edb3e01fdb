// The table of formats of host tools and files.
#include "parse/host/host_readers.h"
#include "parse/paste/signs.h"

namespace gpuwhy {
namespace {

constexpr PasteFormat kFormats[] = {
    {"mpstat", RecogniseMpstat, ReadMpstat, false, kSignSysstat},
    {"iostat", RecogniseIostat, ReadIostat, false, kSignSysstat},
    {"sysstat JSON", RecogniseSysstatJson, ReadSysstatJson, false, kSignSysstat},
    {"vmstat", RecogniseVmstat, ReadVmstat, false, kSignMemory},
    {"nfsiostat", RecogniseNfsiostat, ReadNfsiostat, false, kSignMounts},
    {"mountstats", RecogniseMountstats, ReadMountstats, true, kSignMounts},
    {"top", RecogniseTop, ReadTop, false, kSignProcesses},
    {"ps", RecognisePs, ReadPs, false, kSignProcesses},
    {"pidstat", RecognisePidstat, ReadPidstat, false, kSignProcesses},
    {"free", RecogniseFree, ReadFree, false, kSignMemory},
    {"/proc/meminfo", RecogniseMeminfo, ReadMeminfo, false, kSignMemory},
    {"/proc/stat", RecogniseProcStat, ReadProcStat, true, kSignMachine},
    {"df", RecogniseDf, ReadDf, false, kSignMounts},
    {"lscpu", RecogniseLscpu, ReadLscpu, false, kSignMachine},
    {"numactl", RecogniseNumactl, ReadNumactl, false, kSignMachine},
    {"ethtool", RecogniseEthtool, ReadEthtool, false, kSignNet},
    {"ibdev2netdev", RecogniseIbdev, ReadIbdev, false, kSignNet},
    {"", RecogniseBanner, ReadBanner, true, kSignMachine},
};

}  // namespace

std::span<const PasteFormat> HostFormats() { return kFormats; }

}  // namespace gpuwhy
