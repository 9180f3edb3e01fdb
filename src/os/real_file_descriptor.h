// Owner of one descriptor.
#pragma once

#include <unistd.h>

#include <utility>

namespace gpuwhy {

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&&) = delete;
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  /// Negative where the call that should have opened it failed.
  [[nodiscard]] int Get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace gpuwhy
