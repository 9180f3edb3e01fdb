#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr double kNodesDiffer =
    1.4;  ///< same copy from two nodes; a near and a far node differ by less on a sound link

constexpr double kPoorCopy =
    7e9;  ///< of a Gen3 x16 link, that gives 11 GB/s and more from page-locked memory

/// Bound to another node than the first, where the copy is far slower than a sound link gives.
bool PoorFromFarNode(const FactSet& facts, const Fact& run) {
  if (run.Number() >= kPoorCopy) return false;
  for (const Fact* line : AllOf(facts, {FactId::kBandwidthLine})) {
    const std::string* text = std::get_if<std::string>(&*line->value);
    if (line->subject != run.subject || text == nullptr) continue;
    for (const std::string_view option : {"-N", "--cpunodebind=", "--cpunodebind "}) {
      const std::size_t at = text->find(option);
      if (at == std::string::npos || at + option.size() >= text->size()) continue;
      const char node = (*text)[at + option.size()];
      if (node >= '1' && node <= '9') return true;
    }
  }
  return false;
}

/// Does a line of the input name a NUMA node that the command was bound to?
bool Bound(const FactSet& facts, const Subject& subject) {
  const std::vector<const Fact*> lines = AllOf(facts, {FactId::kBandwidthLine});
  return std::any_of(lines.begin(), lines.end(), [&](const Fact* line) {
    const std::string* text = std::get_if<std::string>(&*line->value);
    return line->subject == subject && text != nullptr &&
           text->find("numactl") != std::string::npos;
  });
}

}  // namespace

RuleResult NumaCpuRemote(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "numa.cpu-remote",
      Severity::kWarning,
      Confidence::kHigh,
      N_("Copies are much slower from the other NUMA node"),
      N_("The same copy to the same GPU was measured from two nodes. From the far one it crosses "
         "the link between the processors."),
      N_("Run each process on the node of its GPU."),
      N_("Bind with numactl --cpunodebind and --membind to the node that nvidia-smi topo -m shows "
         "for the GPU, or let the launcher do it."),
      "nvidia-smi topo -m"};
  RuleResult result;
  for (const FactId id : {FactId::kBandwidthHostToDevice, FactId::kBandwidthDeviceToHost}) {
    std::vector<const Fact*> runs = NumbersOf(facts, id);
    std::erase_if(runs, [&](const Fact* run) { return !Bound(facts, run->subject); });
    if (runs.size() == 1 && PoorFromFarNode(facts, *runs.front())) {
      std::vector<const Fact*> evidence{runs.front()};
      for (const Fact* line : AllOf(facts, {FactId::kBandwidthLine})) {
        if (line->subject == runs.front()->subject) evidence.push_back(line);
      }
      RuleResult one = Stated(kClaim, evidence);
      one.findings.front().confidence = Confidence::kLow;
      one.findings.front().meaning =
          _("The copy is far slower than a sound link gives, and the process was bound to another "
            "NUMA node than the first. A narrow or slow link looks the same.");
      return one;
    }
    if (runs.size() < 2) continue;
    const auto [slow, fast] =
        std::minmax_element(runs.begin(), runs.end(),
                            [](const Fact* a, const Fact* b) { return a->Number() < b->Number(); });
    if ((*slow)->subject == (*fast)->subject ||
        (*fast)->Number() < kNodesDiffer * (*slow)->Number())
      continue;
    std::vector<const Fact*> evidence{*slow, *fast};
    for (const Fact* line : AllOf(facts, {FactId::kBandwidthLine})) {
      if (line->subject == (*slow)->subject || line->subject == (*fast)->subject)
        evidence.push_back(line);
    }
    return Stated(kClaim, evidence);
  }
  return result;
}

}  // namespace gpuwhy
