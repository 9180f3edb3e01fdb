// What a system call number means on a machine, and how its arguments say what it waits for. Both
// tables are in every build: a recording of one machine is read on another.
#pragma once

#include <cstdint>
#include <string_view>

#include "capture/samples.h"

namespace gpuwhy {

/// Where the object of the call stands in its arguments a0..a5.
enum class CallShape : unsigned char {
  kNone = 0,     ///< nothing that can be resolved
  kFd,           ///< descriptor a0
  kFdWrite,      ///< descriptor a0, to put data into
  kFdOutIn,      ///< out a0, in a1 (sendfile)
  kFdInOut,      ///< in a0, out a2 (splice, copy_file_range)
  kPath,         ///< path a0
  kPathAt,       ///< folder a0, path a1
  kPoll,         ///< pollfd array a0, count a1
  kSelect,       ///< highest a0, read set a1, write set a2, exception set a3
  kEpoll,        ///< epoll descriptor a0
  kFutex,        ///< address a0, operation a1
  kFutexVector,  ///< array of futex_waitv a0, count a1
  kSysv,         ///< identifier a0
  kTimer,        ///< a sleep
};

struct SyscallMeaning {
  Syscall call = Syscall::kOther;
  CallShape shape = CallShape::kNone;
};

/// machine as uname -m gives it: "x86_64", "aarch64". Unknown machines and calls are kOther.
[[nodiscard]] SyscallMeaning MeaningOf(std::string_view machine, std::int64_t number);

}  // namespace gpuwhy
