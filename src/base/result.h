// Result<T>: a value or an Error. The only way in which a function of gpuwhy says that it failed.
// What a failed *measurement* yields is a Reading (reading.h), not a Result: missing data is data.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace gpuwhy {

/// What went wrong, where, and what the system said. Printed once, by cli/.
struct Error {
  std::string message;  ///< what was attempted or observed, as a sentence fragment for people
  std::string where;    ///< path, "path:line" or "path@offset"; empty where there is none
  int sys_errno = 0;    ///< errno of the failed call; 0 where no call failed

  /// "where: message: strerror(errno)", leaving out what is absent.
  [[nodiscard]] std::string Text() const;
};

template <class T>
class [[nodiscard]] Result {
 public:
  // Implicit on purpose: "return value;" and "return Error{...};" are how functions end.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  /// Precondition of the four accessors: ok().
  [[nodiscard]] T& operator*() & { return std::get<0>(state_); }
  [[nodiscard]] const T& operator*() const& { return std::get<0>(state_); }
  [[nodiscard]] T&& operator*() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  /// Precondition: !ok().
  [[nodiscard]] const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// Success without a value.
struct Done {};
using Status = Result<Done>;

}  // namespace gpuwhy
