#include "report/job_text.h"

#include <cmath>
#include <cstdint>

#include "base/i18n.h"
#include "report/values.h"

namespace gpuwhy {

std::string AgeText(double seconds) {
  constexpr std::int64_t kMinute = 60;
  constexpr std::int64_t kHour = 60 * kMinute;
  constexpr std::int64_t kDay = 24 * kHour;
  constexpr double kMost = 1e12;  // far beyond any clock, and far below what overflows
  if (!std::isfinite(seconds) || seconds < 0 || seconds > kMost) return _("unknown");
  const auto age = static_cast<std::int64_t>(seconds);
  if (age < kMinute) return Format("{} s", age);
  if (age < kHour) return Format("{} min", age / kMinute);
  if (age < kDay) return Format("{} h {} min", age / kHour, age % kHour / kMinute);
  return Format("{} d {} h", age / kDay, age % kDay / kHour);
}

std::string JobText(const JobFacts& job) {
  std::string text =
      Format(_("{}, {} processes, {} threads"), job.command, job.processes, job.threads);
  if (job.cores) text += Format(_(", uses {}"), QuantityText(*job.cores, Unit::kCores));
  if (job.age_s) text += Format(_(", runs for {}"), AgeText(*job.age_s));
  if (!job.working_folder.empty()) text += Format(_(", in {}"), job.working_folder);
  if (!job.cgroup.empty()) text += Format(_(", control group {}"), job.cgroup);
  text += job.given ? std::string(_(", given by --pid"))
                    : Format(_(", likeness to a job {:.2f}"), job.score);
  if (job.gpu == GpuSign::kDevice) text += _(", uses a GPU");
  if (job.gpu == GpuSign::kFramework) text += _(", maps a GPU framework");
  return text;
}

}  // namespace gpuwhy
