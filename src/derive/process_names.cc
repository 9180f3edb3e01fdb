#include "derive/process_names.h"

#include <algorithm>

#include "base/i18n.h"
#include "base/text.h"

namespace gpuwhy {

std::string NameOf(const JobInWindow& job, std::size_t process) {
  return Format("{} ({})", job.processes.Pid(process),
                Printable(job.capture.Name(job.processes.At(process).command)));
}

std::string NamesOf(const JobInWindow& job, const std::vector<std::size_t>& processes) {
  constexpr std::size_t kMostNamed = 8;
  std::string names;
  for (std::size_t i = 0; i < std::min(processes.size(), kMostNamed); ++i) {
    if (i > 0) names += ", ";
    names += NameOf(job, processes[i]);
  }
  if (processes.size() > kMostNamed) {
    names += Format(_(" and {} more"), processes.size() - kMostNamed);
  }
  return names;
}

}  // namespace gpuwhy
