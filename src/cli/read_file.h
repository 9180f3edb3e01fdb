// Files that the user named.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace gpuwhy {

inline constexpr std::size_t kLargestInput = std::size_t{2} << 30U;

/// The whole file; "-" is stdin. Only its first 64 KiB where is_wanted, which is shown those, says
/// no. Error: errno; EFBIG where it is longer than largest; EISDIR for a folder.
[[nodiscard]] Result<std::string> ReadNamedFile(const std::string& path,
                                                bool (*is_wanted)(std::string_view) = nullptr,
                                                std::size_t largest = kLargestInput);

}  // namespace gpuwhy
