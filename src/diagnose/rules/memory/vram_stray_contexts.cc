#include "base/i18n.h"
#include "diagnose/rules/memory/memory_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult VramStrayContexts(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "vram.stray-contexts",
      Severity::kWarning,
      Confidence::kMedium,
      N_("Sibling ranks hold contexts on a GPU that is not theirs"),
      N_("Beside the rank that works there, the same GPU lists equal small processes of the same "
         "program: each made a CUDA context there before it chose its own device."),
      N_("Let each rank choose its device before it touches CUDA."),
      N_("Call torch.cuda.set_device(local_rank) first, load checkpoints with "
         "map_location, or show each rank only its own GPU (CUDA_VISIBLE_DEVICES)."),
      "nvidia-smi --query-compute-apps=gpu_uuid,pid,used_memory --format=csv"};
  return StatedOfEach(kClaim, facts, FactId::kStrayContexts, {FactId::kStrayLine},
                      [](const Fact& /*f*/) { return true; });
}

}  // namespace gpuwhy
