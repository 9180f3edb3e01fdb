// One event of a Kineto trace as it stands in the JSON, and how its numbers are read.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpuwhy::trace {

/// Views into the chunk, valid until the next event. Texts are as written (escapes not resolved),
/// without quotes.
struct RawEvent {
  char phase = 0;
  std::string_view category, name, pid, tid;
  std::optional<std::int64_t> start_ns, duration_ns;
  std::optional<std::int64_t> device, stream, correlation;
  std::optional<std::uint64_t> bytes;
  std::string_view collective, group, dtype;
  std::string_view label;    ///< of a metadata event: the name it gives
  std::string_view details;  ///< XProf's memcpy_details
  std::string_view shapes;   ///< of the inputs of an operator: a list of lists, as JSON
  std::int64_t in_elements = -1, out_elements = -1, group_size = 0;
  double blocks_per_sm = -1, occupancy = -1;
  std::uint32_t blocks = 0;
  int stamp_decimals = 0;  ///< digits after the point of ts: tells the trace's resolution
  bool wants_args = false;
};

/// "1419116104994.671" microseconds -> nanoseconds, exactly; more than three decimals are rounded
/// to the nearest. Takes exponents too (1.6e15). nullopt: not a finite number, or out of +-292
/// years.
[[nodiscard]] std::optional<std::int64_t> MicrosToNanos(std::string_view token);

/// Rows that nothing needs.
[[nodiscard]] bool IsSkippedCategory(std::string_view category);

/// Reads the fields that an anatomy needs; phases other than X, B, E, M and i are left after "ph".
/// False: broken.
[[nodiscard]] bool ReadEvent(simdjson::ondemand::object& object, RawEvent& event);

}  // namespace gpuwhy::trace
