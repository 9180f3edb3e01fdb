#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_signs.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "capture.incomplete";
constexpr Wording kWording = {
    N_("The paste is not complete"), N_("What the output announces is not all there."),
    N_("Do not conclude from what is missing."),
    N_("Save the whole output to a file and give that."), "nvidia-smi -q > smi-q.txt"};

}  // namespace

RuleResult CaptureIncomplete(const FactSet& facts, const Policy& /*policy*/) {
  return OnMessage(facts, "capture.incomplete", kId, kWording,
                   {Severity::kInfo, Confidence::kHigh});
}

}  // namespace gpuwhy
