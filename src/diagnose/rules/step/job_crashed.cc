#include <algorithm>
#include <array>

#include "base/i18n.h"
#include "diagnose/rules/stated.h"
#include "diagnose/rules/step/step_rules.h"

namespace gpuwhy {
namespace {

/// Whether a message names what a process ends of: then the end itself is no finding of its own.
bool ItsCauseIsNamed(const FactSet& facts) {
  constexpr std::array kCauses = {FactId::kSaidCollectiveTimeout,
                                  FactId::kSaidPeerUnreachable,
                                  FactId::kSaidRendezvous,
                                  FactId::kSaidMemcgKill,
                                  FactId::kSaidShmTooSmall,
                                  FactId::kSaidFallenOffBus,
                                  FactId::kSaidEcc,
                                  FactId::kSaidXidCause,
                                  FactId::kSaidXidApplication,
                                  FactId::kSaidXidVictim,
                                  FactId::kSaidXidReset,
                                  FactId::kSaidXidMemory,
                                  FactId::kSaidXidBus,
                                  FactId::kSaidXidLink,
                                  FactId::kSaidFabricNotReady,
                                  FactId::kSaidDriverTooOld,
                                  FactId::kSaidLibraryMismatch,
                                  FactId::kSaidNumbersBroke,
                                  FactId::kSaidCudaBroken,
                                  FactId::kSaidUnknownDevice,
                                  FactId::kAllocLine};
  return std::any_of(kCauses.begin(), kCauses.end(), [&](FactId id) { return Has(facts, id); });
}

constexpr StatedClaim kBySignal{
    "job.crashed",
    Severity::kCritical,
    Confidence::kMedium,
    N_("A process of the job ended by a signal"),
    N_("It was not slow, it died. The library that the address lies in need not be the one at "
       "fault."),
    N_("Find out what the process did when it died."),
    N_("Run it with python -X faulthandler, keep the core (ulimit -c unlimited; coredumpctl), "
       "and read the log of the first rank that ended."),
    "coredumpctl list"};

constexpr StatedClaim kByKernel{
    "job.crashed",
    Severity::kCritical,
    Confidence::kMedium,
    N_("The job stopped: one of its GPU kernels did something illegal"),
    N_("An access out of bounds or a failed assertion in a kernel ends every use of the GPU by "
       "that process. Launches return early, so the line that reports it is often not the one "
       "that did it."),
    N_("Look at the program, not at the hardware."),
    N_("Run it once with CUDA_LAUNCH_BLOCKING=1 to see which call it is, then under "
       "compute-sanitizer. An index beyond an embedding or a class count is the usual reason. "
       "Only where sound programs fail on one GPU too, look for an Xid in its kernel log."),
    "dmesg -T | grep -i xid"};

constexpr StatedClaim kByNccl{
    "job.crashed",
    Severity::kCritical,
    Confidence::kLow,
    N_("The job stopped: NCCL met an error that this message does not name"),
    N_("A call to the system or to CUDA failed inside NCCL. The reason stands in a line that it "
       "prints only when asked."),
    N_("Run it again with NCCL_DEBUG=INFO and hand in that log of every rank."),
    N_("The first line with NCCL WARN names the call: a refused socket, /dev/shm too small, no "
       "memory, or a peer that ended before."),
    "df -h /dev/shm; ulimit -a"};

constexpr StatedClaim kByLoader{
    "job.crashed",
    Severity::kCritical,
    Confidence::kLow,
    N_("The job stopped: a worker of its data loader died"),
    N_("The worker ended without an exception that reached the training loop: killed for memory, a "
       "full /dev/shm, or a crash in a library that it uses."),
    N_("Find out what ended the worker."),
    N_("Look for the kernel's message on memory, then run it with num_workers=0 to see the "
       "worker's own error."),
    "dmesg -T | grep -iE 'out of memory|oom-kill'; df -h /dev/shm"};

}  // namespace

RuleResult JobCrashed(const FactSet& facts, const Policy& /*policy*/) {
  // An Xid that the program caused says the same of the same end.
  if (Has(facts, FactId::kSaidProgramFault) && !Has(facts, FactId::kSaidEcc))
    return Stated(kByKernel, AllOf(facts, {FactId::kSaidProgramFault}));
  if (ItsCauseIsNamed(facts)) return {};
  if (Has(facts, FactId::kSaidCrashed)) {
    return Stated(kBySignal, AllOf(facts, {FactId::kSaidCrashed}));
  }
  if (Has(facts, FactId::kSaidLoaderDied))
    return Stated(kByLoader, AllOf(facts, {FactId::kSaidLoaderDied}));
  return Stated(kByNccl, AllOf(facts, {FactId::kSaidNcclFailed}));
}

}  // namespace gpuwhy
