// Members of tar and zip archives, one after the other as they come: nothing is extracted.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "trace/byte_stream.h"

namespace gpuwhy::trace {

/// By the first 512 bytes.
[[nodiscard]] bool IsArchive(std::string_view head);

/// Calls take for each regular member. The member's stream must not be used after take returns;
/// what take leaves of it is skipped. Error: the archive is damaged (members before were taken).
[[nodiscard]] Status ForEachMember(
    ByteStream& bytes,
    const std::function<void(const std::string& name, ByteStream& member)>& take);

}  // namespace gpuwhy::trace
