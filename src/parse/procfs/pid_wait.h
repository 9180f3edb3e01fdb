// What a thread waits in: /proc/PID/task/TID/syscall and wchan.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace gpuwhy {

struct BlockedCall {
  enum class State : unsigned char {
    kRunning,  ///< on a CPU or runnable
    kOutside,  ///< asleep, but in no system call: a page fault
    kInCall,
  };
  State state = State::kRunning;
  std::int64_t number = -1;  ///< of the system call; what it means depends on the machine
  std::array<std::uint64_t, 6> args{};
};

/// "running", "-1 sp pc", "nr a0 .. a5 sp pc". Error: none of these.
[[nodiscard]] Result<BlockedCall> ParseBlockedCall(std::string_view text);

/// Content of wchan without its end; empty where the kernel names none ("0" or nothing).
[[nodiscard]] std::string_view ParseWchan(std::string_view text);

}  // namespace gpuwhy
