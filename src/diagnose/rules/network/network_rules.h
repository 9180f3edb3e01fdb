// Rules of collectives, their network and the launch of ranks: one a file.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

/// Whether NCCL sends over sockets, so that ranks are on several hosts: "via NET/Socket/0".
[[nodiscard]] bool SocketsCarryChannels(const FactSet& facts);

[[nodiscard]] RuleResult LaunchRendezvous(const FactSet& facts,
                                          const Policy& policy);  ///< launch.rendezvous
[[nodiscard]] RuleResult NcclDataCorruption(const FactSet& facts,
                                            const Policy& policy);  ///< nccl.data-corruption
[[nodiscard]] RuleResult NcclGdrOff(const FactSet& facts, const Policy& policy);  ///< nccl.gdr-off
[[nodiscard]] RuleResult NcclHang(const FactSet& facts, const Policy& policy);    ///< nccl.hang
[[nodiscard]] RuleResult NcclP2pDisabled(const FactSet& facts,
                                         const Policy& policy);  ///< nccl.p2p-disabled
[[nodiscard]] RuleResult NcclProtocolStep(const FactSet& facts,
                                          const Policy& policy);  ///< nccl.protocol-step
[[nodiscard]] RuleResult NcclSocketFallback(const FactSet& facts,
                                            const Policy& policy);  ///< nccl.socket-fallback
[[nodiscard]] RuleResult NcclWrongInterface(const FactSet& facts,
                                            const Policy& policy);  ///< nccl.wrong-interface
[[nodiscard]] RuleResult NetLinkDegraded(const FactSet& facts,
                                         const Policy& policy);  ///< net.link-degraded
[[nodiscard]] RuleResult NetUnreachable(const FactSet& facts,
                                        const Policy& policy);  ///< net.unreachable
[[nodiscard]] RuleResult ScalingCommBound(const FactSet& facts,
                                          const Policy& policy);  ///< scaling.comm-bound
[[nodiscard]] RuleResult ScalingPipelineWait(const FactSet& facts,
                                             const Policy& policy);  ///< scaling.pipeline-wait

}  // namespace gpuwhy
