// The table of formats of NVIDIA and PCI tools.
#include "parse/paste/lspci.h"
#include "parse/paste/modules.h"
#include "parse/paste/recogniser.h"
#include "parse/paste/smi_csv.h"
#include "parse/paste/smi_links.h"
#include "parse/paste/smi_monitor.h"
#include "parse/paste/smi_query.h"
#include "parse/paste/smi_table.h"
#include "parse/paste/smi_xml.h"

namespace gpuwhy {
namespace {

constexpr PasteFormat kFormats[] = {
    {"nvidia-smi", RecogniseSmiTable, ReadSmiTable},
    {"nvidia-smi -q", RecogniseSmiQuery, ReadSmiQuery},
    {"nvidia-smi -q -x", RecogniseSmiXml, ReadSmiXml},
    {"nvidia-smi csv", RecogniseSmiCsv, ReadSmiCsv},
    {"nvidia-smi dmon or pmon", RecogniseSmiMonitor, ReadSmiMonitor},
    {"nvidia-smi nvlink", RecogniseNvlink, ReadNvlink},
    {"nvidia-smi -L", RecogniseDeviceList, ReadDeviceList},
    {"nvidia-smi topo -m", RecogniseTopo, ReadTopo},
    {"lspci", RecogniseLspci, ReadLspci},
    {"lsmod", RecogniseLsmod, ReadLsmod},
    {"nvidia-smi message", RecogniseSmiMessages, ReadSmiMessages, true},
};

}  // namespace

std::span<const PasteFormat> DeviceFormats() { return kFormats; }

}  // namespace gpuwhy
