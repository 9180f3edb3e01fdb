// Rules of memory that ran out or runs short, of the GPU and of the host: one a file.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult HostMemoryPressure(const FactSet& facts,
                                            const Policy& policy);  ///< host.memory-pressure
[[nodiscard]] RuleResult HostMemoryStep(const FactSet& facts,
                                        const Policy& policy);  ///< host.memory-step
[[nodiscard]] RuleResult HostOomKill(const FactSet& facts,
                                     const Policy& policy);  ///< host.oom-kill
[[nodiscard]] RuleResult VramFragmented(const FactSet& facts,
                                        const Policy& policy);  ///< vram.fragmented
[[nodiscard]] RuleResult VramLimitElsewhere(const FactSet& facts,
                                            const Policy& policy);  ///< vram.limit-elsewhere
[[nodiscard]] RuleResult VramOtherProcess(const FactSet& facts,
                                          const Policy& policy);  ///< vram.other-process
[[nodiscard]] RuleResult VramStrayContexts(const FactSet& facts,
                                           const Policy& policy);  ///< vram.stray-contexts
[[nodiscard]] RuleResult VramTooSmall(const FactSet& facts,
                                      const Policy& policy);  ///< vram.too-small

}  // namespace gpuwhy
