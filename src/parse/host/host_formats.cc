// The table of formats of host tools and files.
#include "parse/host/host_readers.h"

namespace gpuwhy {
namespace {

constexpr PasteFormat kFormats[] = {
    {"mpstat", RecogniseMpstat, ReadMpstat},
    {"iostat", RecogniseIostat, ReadIostat},
    {"sysstat JSON", RecogniseSysstatJson, ReadSysstatJson},
    {"vmstat", RecogniseVmstat, ReadVmstat},
};

}  // namespace

std::span<const PasteFormat> HostFormats() { return kFormats; }

}  // namespace gpuwhy
