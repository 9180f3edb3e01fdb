// From a blocked read or open to the mount it goes to, without touching the file system.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "capture/capture.h"
#include "derive/wait_class.h"

namespace gpuwhy {

class MountTable {
 public:
  /// Refers to the capture, which must outlive it.
  explicit MountTable(const Capture& capture);

  /// nullptr where neither a mount id nor a path is known. pid: of the blocked process; where its
  /// own table was not read, the host's (pid 0), else the first process's of the capture serves.
  [[nodiscard]] const Mount* Find(std::int32_t pid, const WaitDetail& detail) const;
  /// The path that the wait is about; empty where none is known.
  [[nodiscard]] const std::string& Path(const WaitDetail& detail) const;

 private:
  [[nodiscard]] std::int32_t TableOf(std::int32_t pid) const;
  [[nodiscard]] const Mount* ByPath(std::int32_t table, std::string_view path) const;

  const Capture& capture_;
  std::map<std::pair<std::int32_t, std::int32_t>, const Mount*> by_id_;
  std::map<std::pair<std::int32_t, std::string_view>, const Mount*> by_point_;
  std::optional<std::int32_t> fallback_;
};

}  // namespace gpuwhy
