#include "diagnose/rules/stated_driver.h"

#include "base/i18n.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr Severity kCritical = Severity::kCritical;
constexpr Confidence kHigh = Confidence::kHigh;
constexpr Confidence kMedium = Confidence::kMedium;

/// Whether the host has NVSwitches, as far as the boards that are named tell.
bool OnlyGraphicsCards(const FactSet& facts) {
  return Has(facts, FactId::kSaidGraphicsCard) && !Has(facts, FactId::kSaidSwitchBoard);
}

}  // namespace

RuleResult DriverFabricManager(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.fabric-manager",
      kCritical,
      kHigh,
      N_("CUDA waits for the fabric manager"),
      N_("On systems with NVSwitch, CUDA does not start before the fabric manager has set up the "
         "switches. It is not running, failed, or does not match the driver."),
      N_("Take the node out until the fabric manager runs; no CUDA job can start on it."),
      N_("Install the fabric manager of exactly the driver's version, enable and start "
         "nvidia-fabricmanager, then look at its log."),
      "systemctl status nvidia-fabricmanager"};
  std::vector<const Fact*> evidence = AllOf(facts, {FactId::kSaidFabricNotReady});
  const bool failed = Has(facts, FactId::kSaidFabricManagerFailed) &&
                      Has(facts, FactId::kSaidSwitchBoard) &&
                      !Has(facts, FactId::kSaidFabricNothingToDo);
  if (evidence.empty() && failed)
    evidence = AllOf(facts, {FactId::kSaidFabricManagerFailed, FactId::kSaidSwitchBoard});
  return Stated(kClaim, evidence);
}

RuleResult DriverFabricManagerUnneeded(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.fabric-manager-unneeded",
      Severity::kInfo,
      kHigh,
      N_("The fabric manager failed, and is not needed here"),
      N_("It manages NVSwitches. This system has none, so its service has nothing to start for."),
      N_("Nothing to do for the GPUs."),
      N_("Disable the service where its failure disturbs: systemctl disable nvidia-fabricmanager."),
      ""};
  if (Has(facts, FactId::kSaidFabricNothingToDo)) {
    return Stated(kClaim,
                  AllOf(facts, {FactId::kSaidFabricNothingToDo, FactId::kSaidFabricManagerFailed}));
  }
  if (!OnlyGraphicsCards(facts)) return {};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidFabricManagerFailed}));
}

RuleResult DriverTooOld(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.too-old",
      kCritical,
      kHigh,
      N_("The driver is older than the CUDA version of the software needs"),
      N_("The CUDA runtime of a program or image runs only on drivers from a certain version on. "
         "This host's is older."),
      N_("Update the driver, or use a build for an older CUDA."),
      N_("Update the driver on the host (not in the container), or install the framework built for "
         "the CUDA version that nvidia-smi shows, or choose an older image."),
      "nvidia-smi --query-gpu=driver_version --format=csv"};
  if (Has(facts, FactId::kSaidCpuBuild)) return {};
  std::vector<const Fact*> evidence =
      AllOf(facts, {FactId::kSaidDriverTooOld, FactId::kEnvDriverShort});
  if (evidence.empty()) return {};
  const std::vector<const Fact*> report = AllOf(facts, {FactId::kEnvLine});
  evidence.insert(evidence.end(), report.begin(), report.end());
  return Stated(kClaim, evidence);
}

RuleResult DriverLibraryMismatch(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.library-mismatch",
      kCritical,
      kHigh,
      N_("Driver library and kernel module are of different versions"),
      N_("The package was updated while the old kernel module is still loaded. Nothing can open "
         "the GPUs until both are the same."),
      N_("Drain the node; new jobs fail, running ones go on."),
      N_("Reboot, or stop all users of the GPUs and reload the modules: rmmod nvidia_drm "
         "nvidia_modeset nvidia_uvm nvidia; modprobe nvidia."),
      "cat /proc/driver/nvidia/version"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidLibraryMismatch}));
}

RuleResult DriverNotLoaded(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.not-loaded",
      kCritical,
      kHigh,
      N_("The NVIDIA kernel driver does not answer"),
      N_("No module of the driver is loaded, or it did not accept the device."),
      N_("Take the node out until the driver is loaded."),
      N_("Load it (modprobe nvidia) and read why it fails in the kernel log."),
      "lsmod | grep nvidia; dmesg | grep -i nvrm"};
  // What keeps it from loading is the better answer.
  if (Has(facts, FactId::kSaidKeyRejected) || Has(facts, FactId::kSaidModuleBuildFailed) ||
      Has(facts, FactId::kSaidNouveau) || Has(facts, FactId::kSaidLibraryMismatch)) {
    return {};
  }
  return Stated(kClaim, AllOf(facts, {FactId::kSaidDriverNotLoaded}));
}

RuleResult DriverSecureBoot(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.secure-boot",
      kCritical,
      kHigh,
      N_("The kernel refused the signature of the NVIDIA module"),
      N_("Secure Boot accepts only modules signed with an enrolled key. The module is there and "
         "was not let in."),
      N_("Enroll the key or switch Secure Boot off; the GPU stays unusable until then."),
      N_("Enroll the key that signed the module (mokutil --import, then reboot and confirm), or "
         "disable Secure Boot in the firmware."),
      "mokutil --sb-state"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidKeyRejected}));
}

RuleResult DriverModuleOtherKernel(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.module-other-kernel",
      kCritical,
      kHigh,
      N_("There is no NVIDIA module for the running kernel"),
      N_("The module could not be built for this kernel, or was built for another."),
      N_("Build the module for this kernel, or boot the kernel it was built for."),
      N_("Install the headers of the running kernel and a driver that supports it, then dkms "
         "autoinstall; or boot the previous kernel."),
      "uname -r; dkms status"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidModuleBuildFailed}));
}

RuleResult DriverNouveau(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.nouveau",
      kCritical,
      kHigh,
      N_("The nouveau driver holds the GPU"),
      N_("While nouveau is bound to the device the NVIDIA driver can't use it."),
      N_("Blacklist nouveau and reboot."),
      N_("Put \"blacklist nouveau\" and \"options nouveau modeset=0\" into /etc/modprobe.d/, "
         "rebuild the initramfs, reboot."),
      "lspci -nnk -d 10de:"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidNouveau}));
}

RuleResult DriverCudaBroken(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.cuda-broken",
      kCritical,
      kHigh,
      N_("CUDA can't initialise although the driver is there"),
      N_("The driver lists the GPUs and CUDA refuses them: stale state after a suspend, or a "
         "compatibility library that this board does not support."),
      N_("Repair the driver's state before looking at the program."),
      N_("Reload nvidia_uvm (rmmod nvidia_uvm; modprobe nvidia_uvm) or reboot. Error 804: take the "
         "cuda-compat libraries out of the library path, or update the driver."),
      "python3 -c 'import torch; torch.cuda.init()'"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidCudaBroken}));
}

RuleResult DriverLibcudaMissing(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.libcuda-missing",
      kCritical,
      kHigh,
      N_("The CUDA driver library is missing"),
      N_("libcuda.so.1 comes with the driver, in containers from the host. It was not found."),
      N_("Make the library available; nothing reaches the GPU without it."),
      N_("Host: install the driver's compute package. Container: start it with --gpus and "
         "NVIDIA_DRIVER_CAPABILITIES=compute,utility."),
      "ldconfig -p | grep libcuda"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidLibcudaMissing}));
}

RuleResult DriverUvmMissing(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{"driver.uvm-missing",
                               kCritical,
                               kHigh,
                               N_("nvidia_uvm is not loaded"),
                               N_("CUDA needs that module beside the driver's own."),
                               N_("Load it."),
                               N_("modprobe nvidia_uvm; nvidia-modprobe -u -c=0"),
                               "lsmod | grep nvidia_uvm"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidUvmMissing}));
}

RuleResult DriverHung(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{"driver.hung",
                               kCritical,
                               kMedium,
                               N_("Tasks hang in the kernel after a GPU channel was torn down"),
                               N_("The driver ended channels of a job and tasks of it have not "
                                  "come back from the kernel for minutes."),
                               N_("Drain the node; it rarely recovers without a reset."),
                               N_("End the job, reset the GPU or reboot, and keep the kernel log."),
                               "dmesg | grep -iE 'xid|blocked for'"};
  if (!Has(facts, FactId::kSaidXidVictim)) return {};
  // A task that waits for storage hangs for its own reason.
  if (Has(facts, FactId::kSaidRpcWait) || Has(facts, FactId::kSaidNfsNotResponding)) return {};
  if (!Has(facts, FactId::kSaidHungTask)) return {};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidHungTask, FactId::kSaidXidVictim}));
}

RuleResult ContainerNoGpu(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "container.no-gpu",
      kCritical,
      kHigh,
      N_("The container was started without its GPUs"),
      N_("The container runtime does not know the NVIDIA one, or no GPU was handed in."),
      N_("Mend the start of the container; nothing inside can help."),
      N_("Install nvidia-container-toolkit, run nvidia-ctk runtime configure --runtime=docker, "
         "restart docker, and start with --gpus all."),
      "docker run --rm --gpus all ubuntu nvidia-smi"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidContainerNoGpu}));
}

RuleResult ContainerGpuLost(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "container.gpu-lost",
      kCritical,
      kHigh,
      N_("The running container lost access to its GPUs"),
      N_("The container's device rules were rewritten while it ran, mostly by systemctl "
         "daemon-reload. The GPU and the driver are fine."),
      N_("Restart the container; then make the access permanent."),
      N_("Restart the container. To keep it: hand the devices in with --device=/dev/nvidia0 and so "
         "on, use CDI, or let the runtime use cgroupfs; create the links with nvidia-ctk system "
         "create-dev-char-symlinks."),
      "docker exec CONTAINER nvidia-smi"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidNvmlUnknownError, FactId::kDeviceAccessLost}));
}

RuleResult EnvVisibleDevices(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "env.visible-devices",
      kCritical,
      kHigh,
      N_("A GPU was asked for that is not there"),
      N_("The name or number in NVIDIA_VISIBLE_DEVICES, --gpus or CUDA_VISIBLE_DEVICES matches no "
         "device of this host. The GPUs themselves are not at fault."),
      N_("Correct the name; compare it with nvidia-smi -L."),
      N_("Set NVIDIA_VISIBLE_DEVICES or --gpus to an index or UUID of nvidia-smi -L; MIG instances "
         "have UUIDs of their own that change when they are made anew."),
      "nvidia-smi -L"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidUnknownDevice}));
}

RuleResult SoftwareLibraryMissing(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{"software.library-missing",
                               kCritical,
                               kHigh,
                               N_("A library that the framework needs does not load"),
                               N_("The framework falls back to the CPU or stops where cuDNN, "
                                  "cuBLAS, NCCL or the CUDA runtime can't be loaded."),
                               N_("Install the library or mend the library path."),
                               N_("Install the version that the framework was built for, and put "
                                  "its folder into LD_LIBRARY_PATH or /etc/ld.so.conf.d/."),
                               "ldconfig -p | grep -E 'cudnn|cublas|cudart|nccl'"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidLibraryMissing}));
}

RuleResult JobOnCpu(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "job.on-cpu",
      kCritical,
      kHigh,
      N_("The framework was built without CUDA"),
      N_("This build can only compute on the CPU, whatever GPUs and drivers are there."),
      N_("Install a build with CUDA."),
      N_("Install the package from the index that carries CUDA builds, and check that no other "
         "environment comes first."),
      "python3 -c 'import torch; print(torch.version.cuda)'"};
  std::vector<const Fact*> evidence = AllOf(facts, {FactId::kSaidCpuBuild});
  if (evidence.empty()) return {};
  const std::vector<const Fact*> report = AllOf(facts, {FactId::kEnvLine});
  evidence.insert(evidence.end(), report.begin(), report.end());
  return Stated(kClaim, evidence);
}

}  // namespace gpuwhy
