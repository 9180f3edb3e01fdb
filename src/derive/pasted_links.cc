// What pasted outputs say beside the GPUs' own figures: bridges, NVLinks, modules, sentences.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "derive/pasted.h"
#include "derive/pasted_facts.h"

namespace gpuwhy {
namespace {

std::int32_t BusNumber(const std::string& address) {
  const std::size_t colon = address.find(':');
  if (colon == std::string::npos || colon + 3 > address.size()) return -1;
  std::int32_t bus = 0;
  for (const char c : address.substr(colon + 1, 2)) {
    const int digit = c >= 'a' ? c - 'a' + 10 : c - '0';
    bus = bus * 16 + digit;
  }
  return bus;
}

/// Redirection matters on a bridge with GPUs behind it, or where the paste names no device.
void WriteAcs(const Capture& capture, FactSet& facts) {
  for (const PciDevice& device : capture.pasted.pci) {
    if (!device.acs_redirect || !*device.acs_redirect) continue;
    const bool above_gpu = std::any_of(capture.pasted.pci.begin(), capture.pasted.pci.end(),
                                       [&](const PciDevice& gpu) {
                                         const std::int32_t bus = BusNumber(gpu.address);
                                         return gpu.gpu && bus >= 0 && device.bus_first >= 0 &&
                                                bus >= device.bus_first && bus <= device.bus_last;
                                       });
    if (!above_gpu && !device.address.empty()) continue;
    Fact fact =
        FactAt(FactId::kAcsRedirect, {SubjectKind::kLink, device.address}, 0,
               {"lspci", device.place.file + ":" + std::to_string(device.acs_line), Origin::kRead});
    fact.value = FactValue(device.acs_text);
    facts.Add(std::move(fact));
  }
}

void WriteNvlinks(const Capture& capture, FactSet& facts) {
  for (const NvlinkGpu& gpu : capture.pasted.nvlinks) {
    if (gpu.active + gpu.inactive == 0 && !gpu.counted) continue;
    const Subject subject{SubjectKind::kGpu, gpu.uuid.empty() ? std::to_string(gpu.gpu) : gpu.uuid};
    const Provenance from{"nvidia-smi-nvlink",
                          gpu.place.file + ":" + std::to_string(gpu.place.line), Origin::kRead};
    AddCount(facts, FactId::kNvlinkActive, subject, 0, gpu.active, from);
    AddCount(facts, FactId::kNvlinkInactive, subject, 0, gpu.inactive, from);
    if (gpu.counted) AddCount(facts, FactId::kNvlinkErrors, subject, 0, gpu.errors, from);
  }
}

/// nvidia-smi topo -p2p. What the boards or the kind of link never do (GNS, NS) is no fault of the
/// way between them, as are CNS (chipset), TNS (topology) and DR (turned off).
void WritePeers(const Capture& capture, FactSet& facts) {
  for (const TopoMatrix& matrix : capture.pasted.topos) {
    double asked = 0;
    double refused = 0;
    for (const std::vector<std::string>& row : matrix.cells) {
      for (const std::string& cell : row) {
        const bool no = cell == "CNS" || cell == "TNS" || cell == "DR";
        asked += no || cell == "OK" ? 1 : 0;
        refused += no ? 1 : 0;
      }
    }
    if (asked == 0) continue;
    const Subject host{SubjectKind::kHost, ""};
    const Provenance from{"nvidia-smi-topo",
                          matrix.place.file + ":" + std::to_string(matrix.place.line),
                          Origin::kRead};
    AddCount(facts, FactId::kPeersRefused, host, 0, refused, from);
    AddCount(facts, FactId::kPeersAsked, host, 0, asked, from);
  }
}

/// "pci." and "xid." begin the kinds of kernel messages.
const char* ReaderOf(std::string_view kind) {
  const std::string_view start = kind.substr(0, 4);
  return start == "pci." || start == "xid." ? "kernel-log" : "nvidia-smi";
}

void WriteTexts(const std::vector<PastedMessage>& messages, FactId id, FactSet& facts) {
  for (const PastedMessage& message : messages) {
    const bool module = id == FactId::kModuleLoaded;
    const Subject subject{SubjectKind::kInput, module ? message.subject : message.kind};
    Fact fact =
        FactAt(id, subject, 0,
               {module ? "lsmod" : ReaderOf(message.kind),
                message.place.file + ":" + std::to_string(message.place.line), Origin::kRead});
    fact.value = FactValue(module ? message.subject : message.text);
    facts.Add(std::move(fact));
  }
}

void WriteSlices(const Capture& capture, FactSet& facts) {
  // Loops print each of them again and again.
  std::set<std::string> slices;
  Provenance from{"nvidia-smi", "", Origin::kRead};
  const auto note = [&](const std::string& name, const std::string& file, std::uint32_t line) {
    if (slices.empty()) from.source = file + ":" + std::to_string(line);
    slices.insert(name);
  };
  for (const GpuLook& look : capture.pasted.gpus) {
    if (look.mig) note(look.uuid, look.file, look.line);
  }
  // Those that the list of devices did not show: the table was cut.
  const bool listed = !slices.empty();
  for (const GpuProcess& process : capture.pasted.processes) {
    if (listed || process.mig_instance < 0) continue;
    note(std::to_string(process.gpu) + "/" + std::to_string(process.mig_instance),
         process.place.file, process.place.line);
  }
  if (!slices.empty()) {
    AddCount(facts, FactId::kGpuMigSlices, {SubjectKind::kHost, ""}, 0,
             static_cast<double>(slices.size()), from);
  }
}

}  // namespace

void DerivePastedLinks(const Capture& capture, FactSet& facts) {
  WriteAcs(capture, facts);
  WriteNvlinks(capture, facts);
  WritePeers(capture, facts);
  WriteTexts(capture.pasted.messages, FactId::kToolMessage, facts);
  WriteTexts(capture.pasted.modules, FactId::kModuleLoaded, facts);
  WriteSlices(capture, facts);
}

}  // namespace gpuwhy
