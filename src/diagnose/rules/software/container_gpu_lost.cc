#include <string>
#include <variant>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr StatedClaim kClaim{
    "container.gpu-lost",
    Severity::kCritical,
    Confidence::kHigh,
    N_("The running container lost access to its GPUs"),
    N_("The container's device rules were rewritten while it ran, mostly by systemctl "
       "daemon-reload. The GPU and the driver are fine."),
    N_("Restart the container; then make the access permanent."),
    N_("Restart the container. To keep it: hand the devices in with --device=/dev/nvidia0 and so "
       "on, use CDI, or let the runtime use cgroupfs; create the links with nvidia-ctk system "
       "create-dev-char-symlinks."),
    "docker exec CONTAINER nvidia-smi"};

/// Of a watched job in a container with devices: what its cgroup lets it open. One that holds a
/// device was once let in.
RuleResult OfCgroup(const FactSet& facts) {
  if (facts.jobs.empty() || facts.jobs.front().gpu == GpuSign::kNone) return {};
  const JobFacts& job = facts.jobs.front();
  const Fact* devices = facts.Find(FactId::kJobGpuFiles, job.subject);
  const Fact* allowed = facts.Find(FactId::kJobGpusAllowed, job.subject);
  if (devices == nullptr || !devices->value || allowed == nullptr) return {};
  const auto* names = std::get_if<std::string>(&*devices->value);
  if (names == nullptr || names->empty()) return {};
  if (!allowed->value) {
    // It computes on a device, so that it may; or there is no container that could take it away.
    if (job.gpu == GpuSign::kDevice || facts.Find(FactId::kJobContainer, job.subject) == nullptr)
      return {};
    Unknown unknown;
    unknown.what = _("whether the job's container may still open its GPUs");
    unknown.why =
        WhyText(allowed->value.missing().why) + ": " + Printable(allowed->value.missing().detail);
    unknown.how = _("try it inside: docker exec CONTAINER nvidia-smi");
    unknown.hides = {std::string(kClaim.id)};
    return {{}, {std::move(unknown)}};
  }
  const auto* yes = std::get_if<bool>(&*allowed->value);
  if (yes == nullptr || *yes || job.gpu != GpuSign::kDevice) return {};
  RuleResult result = Stated(kClaim, {allowed, devices});
  result.findings.front().subject = job.subject;
  return result;
}

}  // namespace

RuleResult ContainerGpuLost(const FactSet& facts, const Policy& /*policy*/) {
  RuleResult said =
      Stated(kClaim, AllOf(facts, {FactId::kSaidNvmlUnknownError, FactId::kDeviceAccessLost}));
  return said.findings.empty() ? OfCgroup(facts) : said;
}

}  // namespace gpuwhy
