#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_signs.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.not-found";
constexpr Wording kWording = {N_("The driver finds no GPU"),
                              N_("The driver is loaded and sees no device."),
                              N_("Look whether the bus sees it."),
                              N_("lspci, then dmesg; reseat or reboot."), "lspci -d 10de:"};

}  // namespace

RuleResult GpuNotFound(const FactSet& facts, const Policy& /*policy*/) {
  return OnMessage(facts, "smi.no-devices", kId, kWording,
                   {Severity::kCritical, Confidence::kMedium});
}

}  // namespace gpuwhy
