#include "parse/paste/signs.h"

#include <string_view>

namespace gpuwhy {
namespace {

// Each reader's own list of words is longer; here stands what those have in common.
constexpr MarkedWord kWords[] = {
    {"NVSMI LOG", kSignQuery},
    {"Clocks", kSignQuery},
    {"FB Memory Usage", kSignQuery},
    {"BAR1 Memory Usage", kSignQuery},
    {"Power Readings", kSignQuery},
    {"Remapped Rows", kSignQuery},
    {"Retired Pages", kSignQuery},
    {"ECC Errors", kSignQuery},
    {"Ecc Errors", kSignQuery},
    {"GPU Link Info", kSignQuery},
    {"SW Power Cap", kSignQuery},
    {"Fabric", kSignQuery},
    {"Performance State", kSignQuery},
    {"GPU UUID", kSignQuery},
    {"PCIe Generation", kSignQuery},
    {"<nvidia_smi_log>", kSignXml},
    {"<gpu id=\"", kSignXml},
    {"utilization.", kSignCsv},
    {" MiB, ", kSignCsv},
    {" MHz, ", kSignCsv},
    {"memory.used", kSignCsv},
    {"memory.total", kSignCsv},
    {"temperature.gpu", kSignCsv},
    {"fan.speed", kSignCsv},
    {"power.", kSignCsv},
    {"clocks", kSignCsv},
    {"pcie.link.", kSignCsv},
    {"ecc.mode.", kSignCsv},
    {"ecc.errors.", kSignCsv},
    {"retired_pages.", kSignCsv},
    {"remapped_rows.", kSignCsv},
    {"fabric.", kSignCsv},
    {"mig.mode.", kSignCsv},
    {"used_gpu_memory", kSignCsv},
    {"gpu_uuid", kSignCsv},
    {"pci.bus_id", kSignCsv},
    {"(UUID: GPU-", kSignListed},
    {"LnkCap:", kSignLspci},
    {"LnkSta:", kSignLspci},
    {"ACSCtl:", kSignLspci},
    {"Module", kSignModules},
    {"infoROM is corrupted", kSignMessage},
    {"Driver/library version mismatch", kSignMessage},
    {"couldn't communicate with the NVIDIA driver", kSignMessage},
    {"No devices were found", kSignMessage},
    {"GPU is lost", kSignMessage},
    {"GPU requires reset", kSignMessage},
    {"available PCIe bandwidth", kSignMessage},
    {"to activate", kSignMessage},
    {"Unable to determine the device handle", kSignMessage},
    {"%iowait", kSignSysstat},
    {"avg-cpu", kSignSysstat},
    {"Device", kSignSysstat},
    {"\"disk_device\"", kSignSysstat},
    {"\"cpu-load\"", kSignSysstat},
    {"COMMAND", kSignProcesses},
    {"Command", kSignProcesses},
    {"MemTotal", kSignMemory},
    {"MemFree", kSignMemory},
    {"MemAvailable", kSignMemory},
    {"avg RTT", kSignMounts},
    {"rpc bklog", kSignMounts},
    {" with fstype nfs", kSignMounts},
    {"Mounted on", kSignMounts},
    {"CPU(s)", kSignMachine},
    {"Architecture", kSignMachine},
    {"available:", kSignMachine},
    {".service - ", kSignKnown},
    {"NVIDIA Release ", kSignKnown},
    {": installed", kSignKnown},
    {"CUDA memory summary", kSignKnown},
    {"(idle)", kSignKnown},
    {"(active", kSignKnown},
    {"(most recent call first)", kSignKnown},
    {"Settings for ", kSignNet},
    {"port 1 ==>", kSignNet},
    {"port 2 ==>", kSignNet},
};

bool IsHex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// "hh:hh.d", as in a PCI address, and no further digit as in a time of day.
bool HoldsBusId(std::string_view line) {
  constexpr std::size_t kBefore = 5;
  for (std::size_t dot = line.find('.', kBefore); dot != std::string_view::npos;
       dot = line.find('.', dot + 1)) {
    if (line[dot - 3] != ':' || dot + 1 >= line.size()) continue;
    const bool function = line[dot + 1] >= '0' && line[dot + 1] <= '7';
    if (function && (dot + 2 == line.size() || !IsHex(line[dot + 2]))) return true;
  }
  return false;
}

/// Short words that tables of the host begin with.
std::uint32_t HostSignsOf(std::string_view line) {
  const auto is_blank = [&](std::size_t at) {
    return at >= line.size() || line[at] == ' ' || line[at] == '\t';
  };
  if (line.starts_with("cpu"))
    return is_blank(3) || (line[3] >= '0' && line[3] <= '9') ? std::uint32_t{kSignMachine} : 0U;
  if (line.starts_with("node") && is_blank(4)) return kSignMachine;
  if (line.starts_with("Linux")) return kSignMachine;
  if (line.starts_with("top - ")) return kSignProcesses;
  if (line.starts_with("total ")) return kSignMemory;
  if (line[0] == 'r' && is_blank(1)) return kSignMemory;
  // The names of the columns of ps.
  const bool capital = line[0] >= 'A' && line[0] <= 'Z';
  const bool pid = capital && line.substr(0, 120).find("PID") != std::string_view::npos;
  return pid ? std::uint32_t{kSignProcesses} : 0U;
}

/// What the beginning of a line tells. A row of CSV without header begins with a date.
std::uint32_t SignsOfLine(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return 0;
  const char first = line[begin];
  if (first == '#') return kSignMonitor;
  if (first == '|' || first == '+') return kSignTable;
  if (first == 'G' && line.substr(begin, 4) == "GPU0") return kSignTopo;
  const bool date = line.size() > begin + 7 && line[begin + 4] == '/' && line[begin + 7] == '/';
  return date ? std::uint32_t{kSignCsv} : HostSignsOf(line.substr(begin));
}

}  // namespace

std::span<const MarkedWord> SignWords() { return kWords; }

std::uint32_t SignsIn(const Section& section, std::uint32_t marks) {
  std::uint32_t signs = marks;
  for (const PastedLine& line : section.Lines()) {
    signs |= SignsOfLine(line.text);
    if ((signs & kSignLspci) == 0 && HoldsBusId(line.text.substr(0, 200))) signs |= kSignLspci;
  }
  return signs;
}

}  // namespace gpuwhy
