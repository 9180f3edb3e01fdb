// /proc/sysvipc: System V semaphore sets and message queues of an IPC namespace.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gpuwhy {

struct SysvSet {
  std::int32_t id = 0;
  std::int32_t semaphores = 0;
};

struct SysvMessages {
  std::int32_t id = 0;
  std::int32_t last_sender = 0,
               last_receiver = 0;  ///< pids; 0: nobody yet, or of another namespace
};

/// /proc/sysvipc/sem and msg: the header and lines of another form are left out.
[[nodiscard]] std::vector<SysvSet> ParseSysvSets(std::string_view text);
[[nodiscard]] std::vector<SysvMessages> ParseSysvMessages(std::string_view text);

}  // namespace gpuwhy
