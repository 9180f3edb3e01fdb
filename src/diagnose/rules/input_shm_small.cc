#include "diagnose/rules/input_shm_small.h"

#include "base/i18n.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult InputShmSmall(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "input.shm-small",
      Severity::kCritical,
      Confidence::kHigh,
      N_("Shared memory is too small for the loader's workers"),
      N_("Workers hand batches over in /dev/shm; it is full, and a worker died on it."),
      N_("Give the container more shared memory."),
      N_("docker run --shm-size=16g or --ipc=host; Kubernetes: an emptyDir of medium Memory at "
         "/dev/shm."),
      "df -h /dev/shm"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidShmTooSmall}));
}

}  // namespace gpuwhy
