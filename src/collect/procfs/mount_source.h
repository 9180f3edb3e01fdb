// The mounts that the tool itself sees, from /proc/self/mountinfo.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "capture/interner.h"
#include "collect/source.h"
#include "os/host.h"

namespace gpuwhy {

/// Looks once; mounts carry pid 0: the host's namespace. host and names must outlive the source.
[[nodiscard]] std::unique_ptr<Source> MakeMountSource(Host host, Interner& names);

/// Appends the mounts of a mountinfo text, read in pid's namespace, to out; options are those of
/// the mount and of its file system, secrets hidden. path: for the reasons only.
[[nodiscard]] std::vector<Missing> AppendMounts(std::string_view text, const std::string& path,
                                                std::int32_t pid, Interner& names, Capture& out);

}  // namespace gpuwhy
