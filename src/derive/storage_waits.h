// Where the loaders' reads and opens were blocked, mount by mount.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "derive/chain.h"
#include "derive/looks.h"
#include "derive/shares.h"
#include "facts/fact_set.h"

namespace gpuwhy {

struct MountShare {
  const Mount* mount = nullptr;
  std::string point;  ///< as read; the first of equal mount points stands for all
  Share read, open;   ///< of the loaders' time
  std::uint64_t named = 0, distinct = 0;  ///< opens whose path was read; different paths of them
  std::string example;                    ///< the most recent path; empty: none was read
};

/// By mount point. looks_of_fillers: the n of the shares.
[[nodiscard]] std::vector<MountShare> StorageWaits(const JobInWindow& job, const Looks& looks,
                                                   const std::vector<std::size_t>& fillers,
                                                   std::uint64_t& looks_of_fillers);

/// mount.* facts, and mount.type and mount.source of the mounts seen.
void WriteMountFacts(const JobInWindow& job, const std::vector<MountShare>& waits,
                     std::uint64_t looks_of_fillers, FactSet& facts);

}  // namespace gpuwhy
