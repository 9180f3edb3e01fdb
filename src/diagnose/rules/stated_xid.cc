#include "diagnose/rules/stated_xid.h"

#include "base/i18n.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult XidFallenOffBus(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{"gpu.fallen-off-bus",
                               Severity::kCritical,
                               Confidence::kHigh,
                               N_("A GPU has fallen off the bus"),
                               N_("The driver lost the device: it no longer answers on PCIe."),
                               N_("Drain the node and restart it cold."),
                               N_("Power cycle the node; if it comes back, check power, riser and "
                                  "slot, then replace the board."),
                               "dmesg -T | grep -i xid"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidXidBus, FactId::kSaidFallenOffBus}));
}

RuleResult XidResetNeeded(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "gpu.reset-needed",
      Severity::kCritical,
      Confidence::kHigh,
      N_("A GPU wants a reset"),
      N_("Its firmware or a channel of it no longer answers the driver. Programs on it hang or "
         "fail until it is reset."),
      N_("Drain the node and reset the GPU."),
      N_("End its users, then nvidia-smi --gpu-reset -i GPU or a reboot. If it comes back, update "
         "driver and firmware, then have the board checked."),
      "dmesg -T | grep -i xid"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidXidReset, FactId::kSaidGspTimeout}));
}

RuleResult XidNvlinkErrors(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "nvlink.errors",
      Severity::kCritical,
      Confidence::kHigh,
      N_("NVLink reported a fatal error"),
      N_("A link between GPUs or to a switch failed while in use; the jobs on it ended or hang."),
      N_("Drain the node and look at the links."),
      N_("nvidia-smi nvlink -s and -e name the link; reset all GPUs and switches of the system "
         "together; if it comes back, have board, baseboard or cable replaced."),
      "nvidia-smi nvlink -e"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidXidLink}));
}

RuleResult XidRemapFailed(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "ecc.remap-failed",
      Severity::kCritical,
      Confidence::kHigh,
      N_("A GPU has no spare memory row left"),
      N_("A faulty row could not be remapped: the memory has a fault that stays."),
      N_("Replace the board."),
      N_("Drain the node and return the board."),
      "nvidia-smi -q -d ROW_REMAPPER"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidXidRemapFailed}));
}

RuleResult XidUncorrectable(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "ecc.uncorrectable",
      Severity::kCritical,
      Confidence::kHigh,
      N_("A GPU had an uncorrectable memory error"),
      N_("Data was lost on the device; the program that used it was ended."),
      N_("Drain the node and reset the GPU."),
      N_("Reset the GPU so that the row is remapped; if it comes back, return the board."),
      "nvidia-smi -q -d ECC,ROW_REMAPPER"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidXidMemory, FactId::kSaidEcc}));
}

RuleResult XidHardware(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "xid.hardware",
      Severity::kCritical,
      Confidence::kHigh,
      N_("The driver reported a fault of the hardware"),
      N_("The number of the Xid stands for a fault of the board, its power or its firmware."),
      N_("Drain the node and look the number up."),
      N_("Read the entry of the Xid in the catalogue of the driver, reset the GPU, and have the "
         "board checked if it comes back."),
      "dmesg -T | grep -i xid"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidXidCause}));
}

RuleResult XidApplication(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{"xid.application",
                               Severity::kInfo,
                               Confidence::kHigh,
                               N_("A program did something illegal on the GPU"),
                               N_("The Xid stands for an exception that the program itself causes, "
                                  "like an access out of bounds. The GPU is sound."),
                               N_("Look at the program, not at the hardware."),
                               N_("Run it with compute-sanitizer. Only where many different "
                                  "programs meet it on one GPU is that one suspect."),
                               "dmesg -T | grep -i xid"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidXidApplication}));
}

RuleResult XidRecoveryAction(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "xid.recovery-action",
      Severity::kInfo,
      Confidence::kHigh,
      N_("The driver names what it takes to recover"),
      N_("After a fault the driver says whether a reset or a drain is needed."),
      N_("Do what it names."),
      N_("Drain the node or reset the GPU as the message says."),
      "nvidia-smi -q | grep -A2 Recovery"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidXidRecovery}));
}

}  // namespace gpuwhy
