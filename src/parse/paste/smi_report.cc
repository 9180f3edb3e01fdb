#include "parse/paste/smi_report.h"

#include <utility>

#include "base/i18n.h"

namespace gpuwhy {

bool StandsUnder(std::string_view wanted, std::string_view heading) {
  if (wanted.empty()) return true;
  if (wanted.front() == '=') return heading == wanted.substr(1);
  return heading.ends_with(wanted);
}

GpuField EccField(bool is_volatile, bool uncorrected) {
  if (is_volatile) {
    return uncorrected ? GpuField::kEccVolatileUncorrected : GpuField::kEccVolatileCorrected;
  }
  return uncorrected ? GpuField::kEccAggregateUncorrected : GpuField::kEccAggregateCorrected;
}

void NoteMissingDevices(const Section& section, const Announced& announced, std::size_t held,
                        Pasted& into, std::vector<Problem>& problems) {
  if (held == 0 || announced.devices <= held) return;
  NoteIncomplete(section, announced.line,
                 Format(_("it announces {} GPUs and holds {}"), announced.devices, held), into,
                 problems);
}

void NoteIncomplete(const Section& section, std::uint32_t line, std::string text, Pasted& into,
                    std::vector<Problem>& problems) {
  into.messages.push_back({{section.Name(), line}, "capture.incomplete", text, "", {}});
  problems.push_back({line, std::move(text)});
}

}  // namespace gpuwhy
