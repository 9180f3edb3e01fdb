#include <algorithm>
#include <string>
#include <variant>

#include "base/i18n.h"
#include "diagnose/rules/software/job_variables.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr StatedClaim kSeen{
    "container.no-gpu",
    Severity::kCritical,
    Confidence::kMedium,
    N_("The job's container has no GPU, the host has"),
    N_("A GPU driver is loaded on this host, and the job uses a framework for GPUs, but in its "
       "container /dev has no device of one. It can only compute on the CPU."),
    N_("If it is meant to use a GPU, mend the start of the container; nothing inside can help."),
    N_("Start it with --gpus all (Kubernetes: a limit on nvidia.com/gpu), with "
       "nvidia-container-toolkit installed and the runtime configured: nvidia-ctk runtime "
       "configure "
       "--runtime=docker."),
    "docker run --rm --gpus all ubuntu nvidia-smi"};

bool IsDriverLoaded(const FactSet& facts) {
  const std::vector<const Fact*> modules = AllOf(facts, {FactId::kModuleLoaded});
  return Has(facts, FactId::kGpuName) ||
         std::any_of(modules.begin(), modules.end(), [](const Fact* module) {
           const auto* name = std::get_if<std::string>(&*module->value);
           return module->subject.id == "nvidia" || (name != nullptr && *name == "nvidia");
         });
}

/// Of a watched job: what its container lacks.
RuleResult OfContainer(const FactSet& facts) {
  if (facts.jobs.empty() || facts.jobs.front().gpu != GpuSign::kFramework) return {};
  const Subject& job = facts.jobs.front().subject;
  const Fact* container = facts.Find(FactId::kJobContainer, job);
  const Fact* devices = facts.Find(FactId::kJobGpuFiles, job);
  if (container == nullptr || devices == nullptr || !devices->value) return {};
  const auto* names = std::get_if<std::string>(&*devices->value);
  if (names == nullptr || !names->empty() || !IsDriverLoaded(facts)) return {};
  std::vector<const Fact*> evidence = {devices, container};
  for (const Fact* files : AllOf(facts, {FactId::kJobDriverFiles})) evidence.push_back(files);
  for (const JobVariable& asked : JobVariables(facts, "NVIDIA_VISIBLE_DEVICES"))
    evidence.push_back(asked.fact);
  RuleResult result = Stated(kSeen, evidence);
  result.findings.front().subject = job;
  return result;
}

}  // namespace

RuleResult ContainerNoGpu(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "container.no-gpu",
      Severity::kCritical,
      Confidence::kHigh,
      N_("The container was started without its GPUs"),
      N_("The container runtime does not know the NVIDIA one, or no GPU was handed in."),
      N_("Mend the start of the container; nothing inside can help."),
      N_("Install nvidia-container-toolkit, run nvidia-ctk runtime configure --runtime=docker, "
         "restart docker, and start with --gpus all."),
      "docker run --rm --gpus all ubuntu nvidia-smi"};
  RuleResult said = Stated(kClaim, AllOf(facts, {FactId::kSaidContainerNoGpu}));
  return said.findings.empty() ? OfContainer(facts) : said;
}

}  // namespace gpuwhy
