// Results to stdout or, whole or not at all, to a file.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace gpuwhy {

/// Takes the numbers 0, 1 and 2 where the caller left them closed (>&-), with descriptors that can
/// be neither read nor written. Otherwise the first file that is opened gets one of them, and what
/// is said on stderr goes into it: a recording. To be called before anything is opened.
void ReserveStandardDescriptors();

/// Writes all of text to descriptor fd. Error: errno.
[[nodiscard]] Status WriteAll(int fd, std::string_view text, const std::string& name);
/// To stdout. A reader that went away (EPIPE, as with `| head`) is no error.
[[nodiscard]] Status WriteStdout(std::string_view text);
/// Replaces the file at path, or leaves it as it was: writes beside it, then renames. The new file
/// has the owner and mode of the old one, and a link goes on leading to it; where that can't be had
/// (another's file, a folder without the right to make one) the old file is written to in place.
/// So is what is not a regular file: /dev/stdout, a FIFO that somebody reads. Error: errno, e.g.
/// ENOSPC; none for what can't be written to.
[[nodiscard]] Status WriteFileWhole(const std::string& path, std::string_view text);
/// Do both paths lead to one regular file, be it there already or not? Devices and pipes are never
/// the same: nothing that is in them can be overwritten.
[[nodiscard]] bool IsSameFile(const std::string& one, const std::string& other);
/// To stderr, with a newline; failures are ignored: there is nowhere left to say them.
void Say(std::string_view line);

}  // namespace gpuwhy
