// input.network-filesystem: processes wait for an answer of an NFS server.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult InputNetworkFilesystem(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
