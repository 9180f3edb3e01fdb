// Files that the user named.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace gpuwhy {

inline constexpr std::size_t kLargestInput = std::size_t{2} << 30U;

/// A file that is read from its beginning, part by part; "-" is stdin.
class NamedFile {
 public:
  explicit NamedFile(const std::string& path);
  ~NamedFile();
  NamedFile(const NamedFile&) = delete;
  NamedFile& operator=(const NamedFile&) = delete;

  /// As it is shown.
  [[nodiscard]] const std::string& Name() const { return name_; }
  /// Bytes of a regular file; 0 where it is none or can't be told.
  [[nodiscard]] std::size_t Size() const;
  /// Appends the next bytes, up to `most`; fewer only at the end. Error: errno.
  [[nodiscard]] Status Read(std::size_t most, std::string& bytes);

 private:
  std::string name_;
  bool owned_;
  int fd_;
  int failed_ = 0;  ///< errno of open
};

/// The whole file; "-" is stdin. Only its first 64 KiB where is_wanted, which is shown those, says
/// no. Error: errno; EFBIG where it is longer than largest; EISDIR for a folder.
[[nodiscard]] Result<std::string> ReadNamedFile(const std::string& path,
                                                bool (*is_wanted)(std::string_view) = nullptr,
                                                std::size_t largest = kLargestInput);

}  // namespace gpuwhy
