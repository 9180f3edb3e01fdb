// What could not be seen, why, what would show it, and which findings that hides.
#pragma once

#include <string>
#include <vector>

#include "derive/chain.h"
#include "derive/job_facts.h"
#include "derive/looks.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// Findings that need to know what the job's threads wait for.
[[nodiscard]] const std::vector<std::string>& WaitFindings();
/// Sources that are late or stuck; nothing was seen where all are silent.
void NoteSourceStates(const Capture& capture, FactSet& facts);
/// "no permission: /proc/7/syscall"
[[nodiscard]] std::string Reason(const Missing& missing);
/// Of the host's sources: late, stuck, without data.
void NoteSourceBlinds(const Capture& capture, FactSet& facts);
/// No job, or more than one that could be it; facts.jobs are the candidates.
void NoteNoJob(const Capture& capture, FactSet& facts);
/// Of the job that is diagnosed.
void NoteJobBlinds(const JobInWindow& job, const Looks& looks, const Chain& chain,
                   const FillerUse& use, FactSet& facts);

}  // namespace gpuwhy
