#include "diagnose/job_lead.h"

#include "base/i18n.h"
#include "base/text.h"

namespace gpuwhy {
namespace {

std::string Bare(const JobFacts& job) {
  return Format("{} ({})", Printable(job.command), job.root_pid);
}

bool IsOfJob(const Subject& subject) {
  switch (subject.kind) {
    case SubjectKind::kJob:
    case SubjectKind::kProcess:
    case SubjectKind::kThreadGroup:
    case SubjectKind::kMount:
    case SubjectKind::kBlockDevice:
    case SubjectKind::kCgroup:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string JobName(const JobFacts& job) {
  if (LooksLikeGpuJob(job)) return Bare(job);
  return Format(_("{} ({}, no sign of GPU use)"), Printable(job.command), job.root_pid);
}

std::string JobLead(const JobFacts& job, const Finding& finding) {
  if (job.given || !LooksLikeGpuJob(job) || !IsOfJob(finding.subject)) return {};
  return Bare(job) + ": ";
}

std::string JobDoubt(const JobFacts& job, const Finding& finding) {
  if (LooksLikeGpuJob(job) || !IsOfJob(finding.subject)) return {};
  const std::string where = job.working_folder.empty()
                                ? std::string()
                                : Format(_(", in {}"), Printable(job.working_folder));
  return Format(_("The likeliest job on this host, {} ({}{}), shows no sign of GPU use."),
                Printable(job.command), job.root_pid, where);
}

}  // namespace gpuwhy
