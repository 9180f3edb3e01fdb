// The table of formats of NVIDIA and PCI tools.
#include "parse/paste/known_texts.h"
#include "parse/paste/lspci.h"
#include "parse/paste/modules.h"
#include "parse/paste/recogniser.h"
#include "parse/paste/signs.h"
#include "parse/paste/smi_csv.h"
#include "parse/paste/smi_links.h"
#include "parse/paste/smi_monitor.h"
#include "parse/paste/smi_query.h"
#include "parse/paste/smi_table.h"
#include "parse/paste/smi_xml.h"

namespace gpuwhy {
namespace {

constexpr PasteFormat kFormats[] = {
    {"nvidia-smi", RecogniseSmiTable, ReadSmiTable, false, kSignTable},
    {"nvidia-smi -q", RecogniseSmiQuery, ReadSmiQuery, false, kSignQuery},
    {"nvidia-smi -q -x", RecogniseSmiXml, ReadSmiXml, false, kSignXml},
    {"nvidia-smi csv", RecogniseSmiCsv, ReadSmiCsv, false, kSignCsv, 1},
    {"nvidia-smi dmon or pmon", RecogniseSmiMonitor, ReadSmiMonitor, false, kSignMonitor, 2},
    {"nvidia-smi nvlink", RecogniseNvlink, ReadNvlink, false, kSignListed},
    {"nvidia-smi -L", RecogniseDeviceList, ReadDeviceList, false, kSignListed},
    {"nvidia-smi topo -m", RecogniseTopo, ReadTopo, false, kSignTopo},
    {"lspci", RecogniseLspci, ReadLspci, false, kSignLspci},
    {"lsmod", RecogniseLsmod, ReadLsmod, false, kSignModules},
    {"systemctl status", RecogniseServiceState, ReadNothing, true, kSignKnown},
    {"container banner", RecogniseContainerBanner, ReadNothing, true, kSignKnown},
    {"dkms status", RecogniseDkmsStatus, ReadNothing, true, kSignKnown},
    {"torch.cuda.memory_summary", RecogniseMemorySummary, ReadNothing, true, kSignKnown},
    {"stacks", RecogniseStackDump, ReadNothing, true, kSignKnown},
    {"nvidia-smi message", RecogniseSmiMessages, ReadSmiMessages, true, kSignMessage},
};

}  // namespace

std::span<const PasteFormat> DeviceFormats() { return kFormats; }

}  // namespace gpuwhy
