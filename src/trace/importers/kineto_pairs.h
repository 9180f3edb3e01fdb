// Begin and end events joined into whole ones, by process and thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/importers/kineto_event.h"

namespace gpuwhy::trace {

class KinetoPairs {
 public:
  /// False: too many are open (a million), so this one is dropped.
  bool Begin(const RawEvent& event);
  /// Turns an end event into the whole one that it ends; its texts live until the next call.
  /// False: nothing is open on that thread.
  bool End(RawEvent& event);
  /// Begun and never ended.
  [[nodiscard]] std::size_t Open() const { return open_; }

 private:
  struct Held {
    RawEvent event;
    std::unique_ptr<std::string> text;  // what the event's views point into
  };
  static Held Hold(const RawEvent& event);
  static std::string Key(const RawEvent& event);

  std::unordered_map<std::string, std::vector<Held>> threads_;
  Held last_;
  std::size_t open_ = 0;
};

}  // namespace gpuwhy::trace
