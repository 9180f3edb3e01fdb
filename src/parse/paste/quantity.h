// Values as NVIDIA's tools print them: "66W", "120MiB", "[N/A]", "ERR!", "Not Active", "8x".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/reading.h"
#include "capture/pasted.h"

namespace gpuwhy {

enum class Dimension : unsigned char {
  kText,
  kFlag,  ///< Active, Enabled, Yes, On
  kCount,
  kShare,  ///< percent
  kBytes,  ///< in MiB
  kCelsius,
  kWatts,
  kHertz,     ///< in MHz
  kByteRate,  ///< "632 KB/s", without unit: MB/s
  kSeconds,   ///< "903158 us"
};

/// A column of a table or CSV, by its name in the header.
struct Column {
  std::string_view name;
  GpuField field;
  Dimension dimension;
};
inline constexpr std::size_t kMostColumns = 200;

/// Missing: kNotSupported for N/A and its kin, kFailed for ERR! and unknown errors, kNotSampled for
/// anything else that is no such value.
[[nodiscard]] Reading<PastedValue> Measure(std::string_view text, Dimension dimension);
/// "ERR!", "[Unknown Error]": the driver could not read it.
[[nodiscard]] bool IsUnreadable(std::string_view text);

/// The PCI address in a text, as written; empty where there is none.
[[nodiscard]] std::string_view BusIdIn(std::string_view text);

/// Adds a value to a look; what can't be read is noted as unreadable under its name. Texts that
/// say nothing are left out.
void AddValue(GpuLook& look, GpuField field, std::string_view text, Dimension dimension,
              std::uint32_t line, std::string_view name);

}  // namespace gpuwhy
