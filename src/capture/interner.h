// Gives equal texts and equal wait details equal ids while several collectors fill one capture.
// Thread safe. The tables are copied out at the end (or drained for a recording).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "capture/samples.h"

namespace gpuwhy {

class Interner {
 public:
  Interner();

  NameId Intern(std::string_view text) EXCLUDES(mutex_);
  /// Index into Capture::details; 0 for a detail that says nothing.
  std::uint32_t InternDetail(const WaitDetail& detail) EXCLUDES(mutex_);

  /// Names and details with an index >= from, for a recording that already holds the earlier ones.
  [[nodiscard]] std::vector<std::string> NamesFrom(std::size_t from) EXCLUDES(mutex_);
  [[nodiscard]] std::vector<WaitDetail> DetailsFrom(std::size_t from) EXCLUDES(mutex_);

 private:
  // A capture never holds more different texts than this: a hostile job that waits on ever new
  // names costs bounded memory. Beyond it Intern answers kOverflow, which reads "(too many names)".
  static constexpr std::size_t kMaxEntries = 200'000;

  Mutex mutex_;
  std::vector<std::string> names_ GUARDED_BY(mutex_);
  std::unordered_map<std::string, NameId> name_ids_ GUARDED_BY(mutex_);
  std::vector<WaitDetail> details_ GUARDED_BY(mutex_);
  std::unordered_map<std::string, std::uint32_t> detail_ids_ GUARDED_BY(mutex_);
};

}  // namespace gpuwhy
