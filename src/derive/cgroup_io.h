// cgroup.io.*: read limits over the job and how full they are.
#pragma once

#include "derive/chain.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// Subject: the cgroup's path. Groups that the job is not in are left out.
void WriteCgroupIoFacts(const JobInWindow& job, FactSet& facts);

}  // namespace gpuwhy
