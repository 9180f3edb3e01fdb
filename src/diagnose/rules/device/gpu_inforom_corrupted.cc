#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_signs.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.inforom-corrupted";
constexpr Wording kWording = {N_("The infoROM of a GPU is corrupted"),
                              N_("The small memory of the board that keeps its serial number, "
                                 "settings and error history does not check."),
                              N_("Confirm it with a second run; the GPU still computes."),
                              N_("Open a case with the vendor; a firmware tool can rewrite it."),
                              "nvidia-smi"};

}  // namespace

RuleResult GpuInforomCorrupted(const FactSet& facts, const Policy& /*policy*/) {
  return OnMessage(facts, "smi.inforom", kId, kWording, {Severity::kWarning, Confidence::kHigh});
}

}  // namespace gpuwhy
