// Reading<T>: what a source said, or why it said nothing. A failed read is never 0.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace gpuwhy {

/// Why a value is not there. Stored in recordings: append only.
enum class Why : unsigned char {
  kNotPresent = 0,     ///< this host, process or source has no such thing
  kNotSupported = 1,   ///< the kernel, driver or device does not offer it
  kNoPermission = 2,   ///< the rights at hand do not allow to read it
  kFailed = 3,         ///< the read failed or its content was not understood
  kTimedOut = 4,       ///< the source did not answer within its deadline
  kNotSampled = 5,     ///< it was not asked for, or too few samples were taken
  kWentBackwards = 6,  ///< a counter fell between two reads (reset or wrapped)
};

/// "no permission", "timed out", ...: for people, translated.
[[nodiscard]] std::string WhyText(Why why);
/// Stable name for JSON: "no-permission", "timed-out", ...
[[nodiscard]] std::string_view WhyId(Why why);

struct Missing {
  Why why = Why::kNotSampled;
  std::string detail;  ///< what was tried: a path, a call, a count; may be empty

  friend bool operator==(const Missing&, const Missing&) = default;
};

template <class T>
class [[nodiscard]] Reading {
 public:
  Reading() = default;  ///< Missing{kNotSampled}
  // Implicit on purpose: a value is a reading, and so is its absence.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Reading(T value) : state_(std::in_place_index<1>, std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Reading(Missing missing) : state_(std::in_place_index<0>, std::move(missing)) {}
  Reading(Why why, std::string detail)
      : state_(std::in_place_index<0>, Missing{why, std::move(detail)}) {}

  [[nodiscard]] bool has() const { return state_.index() == 1; }
  explicit operator bool() const { return has(); }
  /// Precondition: has().
  [[nodiscard]] const T& operator*() const { return std::get<1>(state_); }
  const T* operator->() const { return &std::get<1>(state_); }
  /// Precondition: !has().
  [[nodiscard]] const Missing& missing() const { return std::get<0>(state_); }
  /// Only where absence itself has a value (a display, a loose bound, a term that falls away).
  [[nodiscard]] T ValueOr(T other) const { return has() ? **this : std::move(other); }

  friend bool operator==(const Reading&, const Reading&) = default;

 private:
  std::variant<Missing, T> state_;
};

}  // namespace gpuwhy
