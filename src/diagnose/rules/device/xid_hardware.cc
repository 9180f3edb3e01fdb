#include <string>
#include <utility>
#include <vector>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/xid_numbers.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

struct XidNote {
  int number;
  const char* meaning;
};

// Source: NVIDIA's list of Xids. These follow from something else, or are notes.
constexpr XidNote kNotes[] = {
    {38, N_("an error in the driver's firmware")},
    {43, N_("a channel of a program was reset, after something that the program did")},
    {45, N_("channels were torn down, after another fault or because their program ended")},
    {61, N_("the GPU's power controller reported an internal error")},
    {63, N_("a memory row or page was marked to be replaced at the next reset")},
    {92, N_("corrected memory errors came at a high rate")},
    {94, N_("an uncorrectable memory error was contained: one program ended")},
    {121, N_("the link between CPU and GPU corrected an error")},
};

std::string NoteOn(int number) {
  for (const XidNote& note : kNotes) {
    if (note.number == number) return Tr(note.meaning);
  }
  return _("its meaning is in NVIDIA's list of Xids");
}

/// No Xid is passed over: those that prove nothing by themselves are told with what they stand for.
void NoteOthers(const FactSet& facts, RuleResult& result) {
  for (const XidLine& xid : XidsIn(AllOf(facts, {FactId::kSaidXidVictim}))) {
    result.unknowns.push_back(
        {Format(_("what Xid {} on GPU {} follows from"), xid.number, Printable(xid.device)),
         NoteOn(xid.number),
         _("look for what came before it: dmesg -T | grep -iE 'xid|nvrm'; the number is in "
           "docs.nvidia.com/deploy/xid-errors"),
         {"xid.hardware"}});
  }
}

}  // namespace

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
  const std::vector<const Fact*> lines = AllOf(facts, {FactId::kSaidXidCause});
  RuleResult result = Stated(kClaim, lines);
  const std::string numbers = XidText(XidsIn(lines));
  for (Finding& finding : result.findings) {
    if (!numbers.empty()) finding.title += " (" + numbers + ")";
  }
  NoteOthers(facts, result);
  return result;
}

}  // namespace gpuwhy
