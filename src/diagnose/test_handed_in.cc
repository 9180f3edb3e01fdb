#include "diagnose/test_handed_in.h"

#include <algorithm>
#include <initializer_list>

namespace gpuwhy {
namespace {

const Subject kHost;
const Subject kRun{SubjectKind::kInput, "run.log"};
const Subject kOtherRun{SubjectKind::kInput, "far.log"};
constexpr double kGiB = 1024.0 * 1024 * 1024;

/// Messages that keep others from being the answer.
constexpr std::initializer_list<FactId> kFirst = {
    FactId::kSaidKeyRejected,      FactId::kSaidModuleBuildFailed, FactId::kSaidNouveau,
    FactId::kSaidLibraryMismatch,  FactId::kSaidCpuBuild,          FactId::kSaidRpcWait,
    FactId::kSaidNfsNotResponding, FactId::kSaidSwitchBoard};

TestFacts Messages(bool first) {
  TestFacts facts;
  const auto from = static_cast<int>(FactId::kSaidFabricNotReady);
  const auto to = static_cast<int>(FactId::kSaidManyWorkers);
  for (int id = from; id <= to; ++id) {
    const auto fact = static_cast<FactId>(id);
    const bool listed = std::find(kFirst.begin(), kFirst.end(), fact) != kFirst.end();
    if (listed == first) facts.SetText(fact, "42%/58% CPU/GPU", kHost);
  }
  return facts;
}

TestFacts Numbers(std::initializer_list<std::pair<FactId, double>> numbers) {
  TestFacts facts;
  for (const auto& [id, value] : numbers) facts.Set(id, value, std::nullopt, kRun);
  return facts;
}

TestFacts Refused(double free, double spare, double elsewhere) {
  TestFacts facts = Numbers({{FactId::kAllocRequest, 1 * kGiB},
                             {FactId::kAllocFree, free * kGiB},
                             {FactId::kAllocTotal, 40 * kGiB},
                             {FactId::kAllocReserved, 30 * kGiB},
                             {FactId::kAllocUnallocated, spare * kGiB},
                             {FactId::kAllocElsewhere, elsewhere * kGiB}});
  facts.SetText(FactId::kAllocLine, "CUDA out of memory", kRun);
  return facts;
}

TestFacts Links() {
  TestFacts facts = Numbers({{FactId::kP2pStaged, 20e9},
                             {FactId::kP2pDirect, 9e9},
                             {FactId::kBusbwJump, 4},
                             {FactId::kNcclWrong, 3},
                             {FactId::kPeersAsked, 12},
                             {FactId::kPeersRefused, 4},
                             {FactId::kBandwidthHostToDevice, 12e9},
                             {FactId::kMemoryGrowthLate, 0.1}});
  facts.Set(FactId::kBandwidthHostToDevice, 4e9, std::nullopt, kOtherRun);
  facts.SetText(FactId::kBandwidthLine, "numactl -N0 test", kRun);
  facts.SetText(FactId::kBandwidthLine, "numactl -N1 test", kOtherRun);
  facts.SetText(FactId::kPortDown, "mlx5_0: State: Down, Physical state: Polling", kRun);
  facts.SetText(FactId::kPsiLine, "some avg10=40.00", kHost);
  facts.Set(FactId::kHostPsiMemory, 0.4, std::nullopt, kHost);
  facts.Set(FactId::kPsiMemoryFull, 0.3, std::nullopt, kHost);
  return facts;
}

/// Messages whose words decide, not only that they were said.
TestFacts Worded() {
  TestFacts facts;
  facts.SetText(FactId::kSaidLaunchBlocking, "export CUDA_LAUNCH_BLOCKING=1", kHost);
  facts.SetText(FactId::kSaidSocketUsed, "Channel 00/0 : 0[0] -> 8[0] [send] via NET/Socket/0",
                kHost);
  facts.SetText(FactId::kSaidIbDisabled, "NCCL_IB_DISABLE set by environment to 1.", kHost);
  facts.SetText(FactId::kSaidAerError, "AER: Uncorrectable (Fatal) error received: 0000:21:00.0",
                kHost);
  facts.SetText(FactId::kSaidScaleLowered, "Gradient overflow. Reducing loss scale to 32768.0",
                kHost);
  return facts;
}

void Series(TestFacts& facts, FactId id, double value, const Subject& subject) {
  facts.Set(id, value, Interval{value, value}, subject);
}

/// Figures of host tools: a thread that fills a core while the GPU waits, interrupts, steal, swap.
TestFacts FreeHost() {
  const Subject main{SubjectKind::kProcess, "7001"};
  const Subject gpu{SubjectKind::kGpu, "GPU-1"};
  TestFacts facts = Numbers({});
  facts.pasted = true;
  Series(facts, FactId::kHostCpuSteal, 0.2, kHost);
  Series(facts, FactId::kHostCoreInterrupts, 0.95, kHost);
  Series(facts, FactId::kHostSwapIn, 4e6, kHost);
  Series(facts, FactId::kHostCpuBusy, 0.1, kHost);
  facts.SetText(FactId::kProcessCommand, "python3", main);
  facts.SetFlag(FactId::kProcessOnGpu, true, main);
  Series(facts, FactId::kProcessThreadBusy, 0.99, main);
  facts.Set(FactId::kGpuUtilization, 30, std::nullopt, gpu);
  facts.SetText(FactId::kIpoibDown, "mlx5_0 port 1 ==> ib0 (Down)", {SubjectKind::kLink, "ib0"});
  facts.SetText(FactId::kPortActive, "mlx5_0: State: Active", kRun);
  return facts;
}

/// A job that fills all cores, and swap at rest.
TestFacts FullHost() {
  const Subject loader{SubjectKind::kProcess, "7044"};
  TestFacts facts = Numbers({});
  facts.pasted = true;
  Series(facts, FactId::kHostCpuBusy, 0.99, kHost);
  Series(facts, FactId::kHostCpus, 8, kHost);
  Series(facts, FactId::kHostSwapIn, 0, kHost);
  Series(facts, FactId::kHostSwapUsed, 9e9, kHost);
  facts.SetText(FactId::kProcessCommand, "pt_data_worker", loader);
  Series(facts, FactId::kProcessRun, 7, loader);
  facts.Set(FactId::kGpuUtilization, 20, std::nullopt, {SubjectKind::kGpu, "GPU-1"});
  return facts;
}

}  // namespace

std::vector<TestFacts> HandedInTexts() {
  TestFacts small = Numbers(
      {{FactId::kAffinityBefore, 32}, {FactId::kAffinityAfter, 1}, {FactId::kStrayContexts, 7}});
  small.SetText(FactId::kSinceBoot, "ops/s  rpc bklog", kRun);
  small.SetText(FactId::kSaidCrashed, "segfault at 0 error 4 in libnccl.so.2", kHost);
  TestFacts waiting = Numbers({{FactId::kLogDataShare, 0.4},
                               {FactId::kLogStepDrift, 0.5},
                               {FactId::kLogStepJitter, 0.5},
                               {FactId::kLogRateRunningMean, 0.3},
                               {FactId::kLogBadLosses, 5},
                               {FactId::kLogOptimizerShare, 0.4},
                               {FactId::kLogCommShare, 0.4},
                               {FactId::kLogPipelineShare, 0.3},
                               {FactId::kLogEvaluationShare, 0.5},
                               {FactId::kProfileUnexplained, 0.5}});
  waiting.SetText(FactId::kSaidLoaderWorkersFew, "num_workers=0", kHost);
  return {Messages(false),
          Messages(true),
          waiting,
          Numbers({{FactId::kLogComputeShare, 0.9}, {FactId::kProfileDeviceShare, 0.1}}),
          Refused(0.5, 0.5, 1),
          Refused(0.5, 20, 1),
          Refused(0.5, 0.5, 30),
          Refused(20, 0.5, 1),
          Links(),
          Worded(),
          FreeHost(),
          FullHost(),
          small};
}

}  // namespace gpuwhy
