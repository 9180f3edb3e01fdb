// /proc/PID/auxv: what the kernel told a program at its start, as pairs of 64 bit words.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/reading.h"

namespace gpuwhy {

struct AuxiliaryVector {
  Reading<std::uint32_t> page_size;         ///< bytes
  Reading<std::uint32_t> ticks_per_second;  ///< USER_HZ
};

/// Native byte order: the vector of a program of this machine. What is not in it is Missing.
[[nodiscard]] AuxiliaryVector ParseAuxv(std::string_view bytes);

}  // namespace gpuwhy
