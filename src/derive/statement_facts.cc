#include "derive/statement_facts.h"

#include <cstddef>

namespace gpuwhy {
namespace {

// In the order of Statement.
constexpr FactId kFacts[] = {
    FactId::kSaidFabricNotReady,
    FactId::kSaidFabricManagerFailed,
    FactId::kSaidFabricNothingToDo,
    FactId::kSaidGraphicsCard,
    FactId::kSaidSwitchBoard,
    FactId::kSaidNvmlUnknownError,
    FactId::kSaidDriverTooOld,
    FactId::kSaidLibraryMismatch,
    FactId::kSaidDriverNotLoaded,
    FactId::kSaidKeyRejected,
    FactId::kSaidModuleBuildFailed,
    FactId::kSaidNouveau,
    FactId::kSaidCudaBroken,
    FactId::kSaidLibcudaMissing,
    FactId::kSaidLibraryMissing,
    FactId::kSaidContainerNoGpu,
    FactId::kSaidUnknownDevice,
    FactId::kSaidUvmMissing,
    FactId::kSaidFallenOffBus,
    FactId::kSaidGspTimeout,
    FactId::kSaidRendezvous,
    FactId::kSaidCollectiveTimeout,
    FactId::kSaidPeerUnreachable,
    FactId::kSaidGdrDisabled,
    FactId::kSaidChannelGdr,
    FactId::kSaidChannelNoGdr,
    FactId::kSaidSocketUsed,
    FactId::kSaidIbDisabled,
    FactId::kSaidNoIbDevice,
    FactId::kSaidVirtualInterface,
    FactId::kSaidConnectTimeout,
    FactId::kSaidRecompiling,
    FactId::kSaidMemcgKill,
    FactId::kSaidKilledProcess,
    FactId::kSaidHungTask,
    FactId::kSaidNfsNotResponding,
    FactId::kSaidRpcWait,
    FactId::kSaidXidCause,
    FactId::kSaidXidApplication,
    FactId::kSaidXidVictim,
    FactId::kSaidScaleLowered,
    FactId::kSaidLoaderWorkersFew,
    FactId::kSaidShuffleFilling,
    FactId::kSaidShmTooSmall,
    FactId::kSaidThreadsOne,
    FactId::kSaidLaunchBlocking,
    FactId::kSaidLoaderGet,
    FactId::kSaidGlobalLockWait,
    FactId::kSaidCollectiveStack,
    FactId::kSaidPartlyOnCpu,
    FactId::kSaidCpuBuild,
    FactId::kSaidDataCorruption,
    FactId::kSaidAerError,
    FactId::kSaidEcc,
    FactId::kSaidXidReset,
    FactId::kSaidXidLink,
    FactId::kSaidXidRemapFailed,
    FactId::kSaidXidMemory,
    FactId::kSaidXidBus,
    FactId::kSaidXidRecovery,
    FactId::kSaidNumbersBroke,
    FactId::kSaidCrashed,
    FactId::kSaidFabricUsed,
    FactId::kSaidP2pDisabled,
    FactId::kSaidNcclSetting,
    FactId::kSaidIbDevice,
    FactId::kSaidProgramFault,
    FactId::kSaidNoDevice,
    FactId::kSaidNcclFailed,
    FactId::kSaidLoaderDied,
    FactId::kSaidManyWorkers,
    FactId::kSaidDevicesBusy,
};
static_assert(sizeof(kFacts) / sizeof(kFacts[0]) == static_cast<std::size_t>(Statement::kCount));

}  // namespace

FactId FactOf(Statement statement) { return kFacts[static_cast<std::size_t>(statement)]; }

}  // namespace gpuwhy
