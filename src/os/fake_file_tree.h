// Files in memory, for tests: contents, links and failures by path, and a count of what was read.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "os/file_tree.h"

namespace gpuwhy {

/// Thread safe. Folders exist where something lies below them. Links are texts: nothing follows
/// them. Must outlive the files opened in it.
class FakeFileTree final : public FileTree {
 public:
  void Set(const std::string& path, std::string content) EXCLUDES(mutex_);
  void SetLink(const std::string& path, std::string target) EXCLUDES(mutex_);
  void SetSpace(const std::string& path, MemorySpace space) EXCLUDES(mutex_);
  /// Read, Open, List, ReadLink and SpaceOf of path, and reads of files opened before, fail with
  /// sys_errno.
  void Fail(const std::string& path, int sys_errno) EXCLUDES(mutex_);
  /// Also what lies below path and the failures scripted there. An open file then reads ESRCH.
  void Remove(const std::string& path) EXCLUDES(mutex_);

  /// How often the content of path was read, by Read or through an open file.
  [[nodiscard]] std::uint64_t Reads(const std::string& path) EXCLUDES(mutex_);
  [[nodiscard]] std::uint64_t AllReads() EXCLUDES(mutex_);

  Result<std::string> Read(const std::string& path, std::size_t limit) override;
  Result<std::unique_ptr<OpenFile>> Open(const std::string& path) override;
  Result<std::vector<std::string>> List(const std::string& path) override;
  Result<std::string> ReadLink(const std::string& path) override;
  Result<MemorySpace> SpaceOf(const std::string& path) override;

 private:
  class Opened;

  [[nodiscard]] Result<std::string> Content(const std::string& path, int absent) EXCLUDES(mutex_);

  Mutex mutex_;
  std::map<std::string, std::string> contents_ GUARDED_BY(mutex_);
  std::map<std::string, std::string> links_ GUARDED_BY(mutex_);
  std::map<std::string, MemorySpace> spaces_ GUARDED_BY(mutex_);
  std::map<std::string, int> failures_ GUARDED_BY(mutex_);
  std::map<std::string, std::uint64_t> reads_ GUARDED_BY(mutex_);
};

}  // namespace gpuwhy
