#include "diagnose/rules/measured_links.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr double kNodesDiffer =
    1.4;  ///< same copy from two nodes; a near and a far node differ by less on a sound link
constexpr double kDirectSlower = 0.8;  ///< of the staged rate
constexpr double kStep = 1.8;          ///< from one message size to the next

std::vector<const Fact*> NumbersOf(const FactSet& facts, FactId id) {
  std::vector<const Fact*> found = facts.All(id);
  std::erase_if(found, [](const Fact* fact) { return !IsNumber(fact); });
  return found;
}

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
  for (const Fact* line : AllOf(facts, {FactId::kBandwidthLine})) {
    const std::string* text = std::get_if<std::string>(&*line->value);
    if (line->subject == subject && text != nullptr && text->find("numactl") != std::string::npos)
      return true;
  }
  return false;
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

RuleResult TopoP2pSlower(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "topo.p2p-slower",
      Severity::kWarning,
      Confidence::kHigh,
      N_("Direct copies between GPUs are slower than through the host"),
      N_("The test copies between each pair with and without peer access. With it the rate is "
         "lower: the path of peer traffic is the bad one."),
      N_("Mend the peer path, or turn peer access off for collectives."),
      N_("Look at ACS and IOMMU settings and at the root complex between the devices. Until then "
         "NCCL_P2P_DISABLE=1 may be faster: measure it."),
      "nvidia-smi topo -p2p r"};
  for (const Fact* direct : NumbersOf(facts, FactId::kP2pDirect)) {
    const Fact* staged = facts.Find(FactId::kP2pStaged, direct->subject);
    if (!IsNumber(staged) || direct->Number() >= kDirectSlower * staged->Number()) continue;
    std::vector<const Fact*> evidence{direct, staged};
    for (const Fact* line : AllOf(facts, {FactId::kBandwidthLine})) {
      if (line->subject == direct->subject) evidence.push_back(line);
    }
    return Stated(kClaim, evidence);
  }
  return {};
}

RuleResult NcclProtocolStep(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{"nccl.protocol-step",
                               Severity::kInfo,
                               Confidence::kMedium,
                               N_("The bandwidth curve has a step where NCCL changes its protocol"),
                               N_("Between two message sizes the rate jumps, because another "
                                  "protocol or algorithm is taken from there on."),
                               N_("Judge the network by the large sizes."),
                               N_("Bucket sizes over the step use the faster protocol; NCCL_PROTO "
                                  "and NCCL_ALGO only for tests."),
                               ""};
  for (const Fact* jump : NumbersOf(facts, FactId::kBusbwJump)) {
    if (jump->Number() < kStep) continue;
    std::vector<const Fact*> evidence{jump};
    for (const Fact* line : AllOf(facts, {FactId::kBandwidthLine})) {
      if (line->subject == jump->subject) evidence.push_back(line);
    }
    return Stated(kClaim, evidence);
  }
  return {};
}

RuleResult NcclDataCorruption(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{"nccl.data-corruption",
                               Severity::kCritical,
                               Confidence::kHigh,
                               N_("A collective gave wrong results"),
                               N_("The test compares what arrives with what must; some of it "
                                  "differs. This is not slow, it is wrong."),
                               N_("Take the node out; training on it can't be trusted."),
                               N_("Find the pair with p2pBandwidthLatencyTest and single-pair "
                                  "runs; look at IOMMU and ACS, at NVLink errors and at the NICs."),
                               ""};
  return Stated(kClaim, AllOf(facts, {FactId::kNcclWrong, FactId::kSaidDataCorruption}));
}

RuleResult NetLinkDegraded(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{"net.link-degraded",
                               Severity::kWarning,
                               Confidence::kLow,
                               N_("A port of the fabric is down or slower than its twins"),
                               N_("Other ports of the host are up at the full rate; collectives "
                                  "that are spread over all of them lose this one's part."),
                               N_("Look at cable, transceiver and switch port."),
                               N_("Reseat or replace the cable; compare ibstat and the switch's "
                                  "port state. A port that is disabled on purpose is no fault."),
                               "ibstat"};
  std::vector<const Fact*> evidence = AllOf(facts, {FactId::kPortSlow, FactId::kPortDown});
  const bool twins = Has(facts, FactId::kPortActive);
  // Switched off by an administrator, or never cabled. Without a port that is up only one that
  // looks for its partner, or is not yet let in by the subnet manager, is known to be meant to be.
  std::erase_if(evidence, [&](const Fact* fact) {
    const std::string* text = std::get_if<std::string>(&*fact->value);
    if (text == nullptr || text->find("Disabled") != std::string::npos) return true;
    return !twins && text->find("Polling") == std::string::npos &&
           text->find("Initializing") == std::string::npos;
  });
  return Stated(kClaim, evidence);
}

}  // namespace gpuwhy
