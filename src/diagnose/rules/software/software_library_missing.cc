#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult SoftwareLibraryMissing(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{"software.library-missing",
                               Severity::kCritical,
                               Confidence::kHigh,
                               N_("A library that the framework needs does not load"),
                               N_("The framework falls back to the CPU or stops where cuDNN, "
                                  "cuBLAS, NCCL or the CUDA runtime can't be loaded."),
                               N_("Install the library or mend the library path."),
                               N_("Install the version that the framework was built for, and put "
                                  "its folder into LD_LIBRARY_PATH or /etc/ld.so.conf.d/."),
                               "ldconfig -p | grep -E 'cudnn|cublas|cudart|nccl'"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidLibraryMissing}));
}

}  // namespace gpuwhy
