#include "diagnose/rules/stated_job.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr Severity kCritical = Severity::kCritical;
constexpr Severity kWarning = Severity::kWarning;
constexpr Confidence kHigh = Confidence::kHigh;
constexpr Confidence kMedium = Confidence::kMedium;
constexpr Confidence kLow = Confidence::kLow;

/// Of "42%/58% CPU/GPU" the first number as a share; nullopt for other texts.
std::optional<double> PartOnCpu(const Fact& fact) {
  const std::string* text = std::get_if<std::string>(&*fact.value);
  if (text == nullptr) return std::nullopt;
  const std::size_t middle = text->find("%/");
  if (middle == std::string::npos || text->find("% CPU/GPU", middle) == std::string::npos) {
    return std::nullopt;
  }
  std::size_t begin = middle;
  while (begin > 0 && text->at(begin - 1) >= '0' && text->at(begin - 1) <= '9') --begin;
  const std::optional<int> percent = ParseNumber<int>(text->substr(begin, middle - begin));
  if (!percent || *percent > 100) return std::nullopt;
  return *percent / 100.0;
}

/// The time share of layers on the CPU. They are bound by memory bandwidth, of which a CPU has a
/// tenth of a GPU's at most.
double TimeOnCpu(double part) { return part * 10 / (part * 10 + 1 - part); }

/// Sockets over an IP interface of InfiniBand: "NET/Socket : Using [0]ib0:...".
bool OverIpoib(const FactSet& facts) {
  const std::vector<const Fact*> lines = AllOf(facts, {FactId::kSaidSocketUsed});
  return std::any_of(lines.begin(), lines.end(), [](const Fact* fact) {
    const std::string* text = std::get_if<std::string>(&*fact->value);
    return text != nullptr && text->find("]ib") != std::string::npos;
  });
}

}  // namespace

RuleResult NcclHang(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "nccl.hang",
      kCritical,
      kHigh,
      N_("A collective timed out: not all ranks arrived"),
      N_("The watchdog ended a collective that some rank never joined. The rank that reports it is "
         "mostly the one that waited."),
      N_("Find the rank that did not come, not the one that complains."),
      N_("Compare the last collective of every rank (TORCH_NCCL_TRACE_BUFFER_SIZE, "
         "NCCL_DEBUG=INFO), and look for an exception, an out-of-memory error or a slow input on "
         "the missing one."),
      "py-spy dump --pid PID"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidCollectiveTimeout}));
}

RuleResult LaunchRendezvous(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "launch.rendezvous",
      kCritical,
      kHigh,
      N_("The ranks did not meet: some never joined"),
      N_("The job ended before any collective existed, because the store did not hear from every "
         "worker in time."),
      N_("Look at why the missing ranks did not start or can't reach the store; the GPUs have no "
         "part in it."),
      N_("Check that every node runs the same world size, MASTER_ADDR and MASTER_PORT, that the "
         "port is reachable from each node, and what the missing ranks wrote."),
      "nc -vz MASTER_ADDR MASTER_PORT"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidRendezvous}));
}

RuleResult NetUnreachable(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "net.unreachable",
      kCritical,
      kHigh,
      N_("A peer of the collective can't be reached"),
      N_("Retries to the named peer were used up, or it closed the connection. The peer died, or "
         "the network between them does not carry the traffic."),
      N_("Look at the peer first: a dead rank looks the same. Then at the network path."),
      N_("Read the peer's own log. For RDMA check that both ends use the same fabric and GID index "
         "(NCCL_IB_HCA, NCCL_IB_GID_INDEX) and that ib_write_bw runs between the two ports."),
      "ib_write_bw -d DEVICE PEER"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidPeerUnreachable}));
}

RuleResult NcclGdrOff(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "nccl.gdr-off",
      kWarning,
      kHigh,
      N_("NCCL moves data between NIC and GPU through host memory"),
      N_("Direct access of the NIC to GPU memory is off, so every byte crosses the host's memory "
         "and its PCIe links twice."),
      N_("Turn it on before judging the network."),
      N_("Load nvidia_peermem (or use a kernel with DMA-BUF), keep GPU and NIC under one PCIe "
         "switch or set NCCL_NET_GDR_LEVEL, and look for the reason in NCCL_DEBUG=INFO."),
      "lsmod | grep nvidia_peermem"};
  std::vector<const Fact*> evidence = AllOf(facts, {FactId::kSaidGdrDisabled});
  // One direction with and one without it: it works, and is not used everywhere.
  if (evidence.empty() && Has(facts, FactId::kSaidChannelGdr) &&
      Has(facts, FactId::kSaidChannelNoGdr)) {
    evidence = AllOf(facts, {FactId::kSaidChannelNoGdr, FactId::kSaidChannelGdr});
  }
  // Not one channel over the fabric has it. Graphics cards can't.
  if (evidence.empty() && !Has(facts, FactId::kSaidChannelGdr) &&
      !Has(facts, FactId::kSaidGraphicsCard)) {
    evidence = AllOf(facts, {FactId::kSaidChannelNoGdr});
  }
  return Stated(kClaim, evidence);
}

RuleResult NcclWrongInterface(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "nccl.wrong-interface",
      kWarning,
      kHigh,
      N_("NCCL took a virtual interface for its traffic"),
      N_("A bridge or container interface leads nowhere outside this host; connects over it time "
         "out or crawl."),
      N_("Name the right interface."),
      N_("Set NCCL_SOCKET_IFNAME to the interface that reaches the other nodes (or "
         "^docker,veth,virbr,lo to leave those out), on every node."),
      "ip -br addr"};
  // Addresses of the loopback are right where all ranks are on one host.
  if (!Has(facts, FactId::kSaidSocketUsed)) return {};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidVirtualInterface, FactId::kSaidConnectTimeout}));
}

RuleResult NcclSocketFallback(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "nccl.socket-fallback",
      kWarning,
      kHigh,
      N_("NCCL uses TCP although the host has an RDMA device"),
      N_("Collectives between nodes go over sockets, at a fraction of the fabric's rate."),
      N_("Let NCCL use the fabric."),
      N_("Unset NCCL_IB_DISABLE; in containers hand in /dev/infiniband and the RDMA libraries; "
         "NCCL_DEBUG=INFO says why a device was not taken."),
      "ibv_devinfo"};
  if (!Has(facts, FactId::kSaidSocketUsed)) return {};
  if (!Has(facts, FactId::kSaidIbDisabled) && !Has(facts, FactId::kPortActive) &&
      !OverIpoib(facts)) {
    return {};
  }
  return Stated(kClaim, AllOf(facts, {FactId::kSaidIbDisabled, FactId::kSaidSocketUsed,
                                      FactId::kSaidNoIbDevice, FactId::kPortActive}));
}

RuleResult HostOomKill(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "host.oom-kill",
      kCritical,
      kHigh,
      N_("The kernel killed a process because host memory ran out"),
      N_("The limit of the job's cgroup or the memory of the host was reached. This is host "
         "memory, not the GPU's."),
      N_("Give the job more host memory, or make it need less."),
      N_("Raise the memory request of the job or pod; fewer loader workers and a smaller prefetch "
         "also need less; a process that grows over time has a leak."),
      "dmesg -T | grep -iE 'out of memory|oom-kill'"};
  if (!Has(facts, FactId::kSaidMemcgKill)) return {};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidMemcgKill, FactId::kSaidKilledProcess}));
}

RuleResult InputNetworkFilesystem(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "input.network-filesystem",
      kWarning,
      kMedium,
      N_("Processes wait for an NFS server"),
      N_("The stack or the kernel log shows a wait for an answer of NFS. Until it comes the "
         "process can't even be ended."),
      N_("Look at the server and the way to it, not at the GPU."),
      N_("Check the server's load and the network between; stage the data on a local disk."),
      "nfsiostat 5 3"};
  RuleResult result =
      Stated(kClaim, AllOf(facts, {FactId::kSaidRpcWait, FactId::kSaidNfsNotResponding}));
  return result;
}

RuleResult InputStarting(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "input.starting",
      Severity::kInfo,
      kHigh,
      N_("The shuffle buffer is being filled"),
      N_("The first step waits until it is full. It moves: this is a start, not a hang."),
      N_("Wait, or make the buffer smaller."),
      N_("Use a smaller shuffle buffer, or shuffle file names instead of records."),
      ""};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidShuffleFilling}));
}

RuleResult InputShmSmall(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "input.shm-small",
      kCritical,
      kHigh,
      N_("Shared memory is too small for the loader's workers"),
      N_("Workers hand batches over in /dev/shm; it is full, and a worker died on it."),
      N_("Give the container more shared memory."),
      N_("docker run --shm-size=16g or --ipc=host; Kubernetes: an emptyDir of medium Memory at "
         "/dev/shm."),
      "df -h /dev/shm"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidShmTooSmall}));
}

RuleResult SoftwareRecompiling(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "software.recompiling",
      kWarning,
      kHigh,
      N_("The compiler gave up after too many variants of a function"),
      N_("A value that changes from step to step is compiled in as a constant. Each change "
         "compiles again, and past the limit the function runs uncompiled."),
      N_("Keep the changing value out of the compiled graph."),
      N_("Pass it as a tensor (a learning rate as torch.tensor), mark sizes as dynamic, or exclude "
         "the function from compilation; TORCH_LOGS=recompiles names the guards."),
      "TORCH_LOGS=recompiles"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidRecompiling}));
}

RuleResult ModelPartlyOnCpu(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "model.partly-on-cpu",
      kWarning,
      kHigh,
      N_("Part of the model runs on the CPU"),
      N_("It does not fit into GPU memory; the layers on the CPU set the pace."),
      N_("Use a smaller or more quantised model, a shorter context, or more GPU memory."),
      N_("Choose a quantisation that fits, lower the context length, or free memory that others "
         "hold on the GPU."),
      "ollama ps"};
  RuleResult result = Stated(kClaim, AllOf(facts, {FactId::kSaidPartlyOnCpu}));
  for (Finding& finding : result.findings) {
    double part = 0.5;
    for (const Fact* fact : AllOf(facts, {FactId::kSaidPartlyOnCpu})) {
      part = PartOnCpu(*fact).value_or(part);
    }
    finding.bound = TimeOnCpu(part);
  }
  return result;
}

RuleResult JobStuck(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "job.stuck",
      kCritical,
      kLow,
      N_("The job's main thread waits for a batch that does not come"),
      N_("The stack shows the training loop in its loader's queue, and the log shows no step "
         "since."),
      N_("Look at the loader's workers: one that died or waits itself leaves the queue empty."),
      N_("Take the stacks of the workers too; try num_workers=0 once to see the error itself; do "
         "not use locks or CUDA in workers that were forked."),
      "py-spy dump --pid PID --subprocesses"};
  if (Has(facts, FactId::kLogSteps)) return {};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidLoaderGet}));
}

RuleResult EnvLaunchBlocking(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "env.launch-blocking",
      kWarning,
      kMedium,
      N_("CUDA_LAUNCH_BLOCKING is on"),
      N_("Every kernel launch waits for the kernel to end: a setting for debugging."),
      N_("Unset it."),
      N_("Remove CUDA_LAUNCH_BLOCKING=1 from the job's environment."),
      "env | grep CUDA_LAUNCH_BLOCKING"};
  // The same words stand in the advice that follows a CUDA error.
  std::vector<const Fact*> evidence = AllOf(facts, {FactId::kSaidLaunchBlocking});
  std::erase_if(evidence, [](const Fact* fact) {
    const std::string* text = std::get_if<std::string>(&*fact->value);
    return text == nullptr || text->find("onsider passing") != std::string::npos;
  });
  return Stated(kClaim, evidence);
}

}  // namespace gpuwhy
