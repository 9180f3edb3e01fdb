// /proc/PID/mountinfo: the mounts of one mount namespace, without touching any of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "capture/samples.h"
#include "parse/line_reader.h"

namespace gpuwhy {

struct MountLine {
  std::int32_t mount_id = 0, parent_id = 0;
  DeviceNumber device;
  std::string root;           ///< the part of the file system that is mounted
  std::string mount_point;    ///< as seen from the process's root
  std::string options;        ///< of this mount: "rw,noatime"
  std::string propagation;    ///< "shared:1 master:2"; empty for a private mount
  std::string fs_type;        ///< "ext4", "fuse.sshfs"
  std::string source;         ///< device or server:/export; empty where the file system gives none
  std::string super_options;  ///< of the file system: "rw,vers=4.2,hard"
  friend bool operator==(const MountLine&, const MountLine&) = default;
};

struct Mountinfo {
  std::vector<MountLine> mounts;
  SkippedLines skipped;
};

/// Undoes the kernel's escapes (\040 for a blank). Fails where no line was understood and there was
/// one. Names come from whoever may mount: hostile.
[[nodiscard]] Result<Mountinfo> ParseMountinfo(std::string_view text);

/// "\040" and the like (a backslash and three octal digits) back to bytes; other backslashes stay.
[[nodiscard]] std::string UndoOctalEscapes(std::string_view text);

/// Mount options without values that are nobody's business: those of keys that name a password, a
/// token, a key or a user read "key=(hidden)".
[[nodiscard]] std::string HideSecretOptions(std::string_view options);
/// A mount source without the user and password of a URL or of "//user:password@server".
[[nodiscard]] std::string HideSecretsOfSource(std::string_view source);

}  // namespace gpuwhy
