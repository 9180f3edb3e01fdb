#include "os/fake_file_tree.h"

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

namespace gpuwhy {
namespace {

Error FakeError(const std::string& path, int sys_errno) {
  return Error{"cannot be read", path, sys_errno};
}

std::string FolderPrefix(const std::string& path) {
  return path.ends_with('/') ? path : path + "/";
}

template <class Value>
void EraseBelow(std::map<std::string, Value>& entries, const std::string& path) {
  const std::string prefix = FolderPrefix(path);
  std::erase_if(entries, [&](const typename std::map<std::string, Value>::value_type& entry) {
    return entry.first == path || entry.first.starts_with(prefix);
  });
}

/// Adds the names directly below prefix.
template <class Value>
void AddNames(const std::map<std::string, Value>& entries, const std::string& prefix,
              std::set<std::string>& names) {
  for (auto entry = entries.lower_bound(prefix);
       entry != entries.end() && entry->first.starts_with(prefix); ++entry) {
    const std::string rest = entry->first.substr(prefix.size());
    if (!rest.empty()) names.insert(rest.substr(0, rest.find('/')));
  }
}

}  // namespace

class FakeFileTree::Opened final : public OpenFile {
 public:
  Opened(FakeFileTree& tree, std::string path) : tree_(tree), path_(std::move(path)) {}

  Result<std::size_t> Read(std::span<char> buffer) override {
    const Result<std::string> content = tree_.Content(path_, ESRCH);
    if (!content) return content.error();
    const std::size_t length = std::min(buffer.size(), content->size());
    std::copy_n(content->begin(), length, buffer.begin());
    return length;
  }

 private:
  FakeFileTree& tree_;
  std::string path_;
};

void FakeFileTree::Set(const std::string& path, std::string content) {
  const MutexLock lock(mutex_);
  contents_[path] = std::move(content);
  failures_.erase(path);
}

void FakeFileTree::SetLink(const std::string& path, std::string target) {
  const MutexLock lock(mutex_);
  links_[path] = std::move(target);
  failures_.erase(path);
}

void FakeFileTree::SetSpace(const std::string& path, MemorySpace space) {
  const MutexLock lock(mutex_);
  spaces_[path] = space;
  failures_.erase(path);
}

void FakeFileTree::Fail(const std::string& path, int sys_errno) {
  const MutexLock lock(mutex_);
  failures_[path] = sys_errno;
}

void FakeFileTree::Remove(const std::string& path) {
  const MutexLock lock(mutex_);
  EraseBelow(contents_, path);
  EraseBelow(links_, path);
  EraseBelow(failures_, path);
}

std::uint64_t FakeFileTree::Reads(const std::string& path) {
  const MutexLock lock(mutex_);
  return reads_[path];
}

std::uint64_t FakeFileTree::AllReads() {
  const MutexLock lock(mutex_);
  std::uint64_t all = 0;
  for (const std::pair<const std::string, std::uint64_t>& reads : reads_) all += reads.second;
  return all;
}

Result<std::string> FakeFileTree::Content(const std::string& path, int absent) {
  const MutexLock lock(mutex_);
  ++reads_[path];
  if (const auto failure = failures_.find(path); failure != failures_.end()) {
    return FakeError(path, failure->second);
  }
  const auto content = contents_.find(path);
  if (content == contents_.end()) return FakeError(path, absent);
  return content->second;
}

Result<std::string> FakeFileTree::Read(const std::string& path, std::size_t limit) {
  Result<std::string> content = Content(path, ENOENT);
  if (content && content->size() > limit) return FakeError(path, EFBIG);
  return content;
}

Result<std::unique_ptr<OpenFile>> FakeFileTree::Open(const std::string& path) {
  const MutexLock lock(mutex_);
  if (const auto failure = failures_.find(path); failure != failures_.end()) {
    return FakeError(path, failure->second);
  }
  if (!contents_.contains(path)) return FakeError(path, ENOENT);
  return std::unique_ptr<OpenFile>(std::make_unique<Opened>(*this, path));
}

Result<std::vector<std::string>> FakeFileTree::List(const std::string& path) {
  const MutexLock lock(mutex_);
  if (const auto failure = failures_.find(path); failure != failures_.end()) {
    return FakeError(path, failure->second);
  }
  std::set<std::string> names;
  AddNames(contents_, FolderPrefix(path), names);
  AddNames(links_, FolderPrefix(path), names);
  AddNames(failures_, FolderPrefix(path), names);
  if (names.empty()) return FakeError(path, ENOENT);
  return std::vector<std::string>(names.begin(), names.end());
}

Result<std::string> FakeFileTree::ReadLink(const std::string& path) {
  const MutexLock lock(mutex_);
  if (const auto failure = failures_.find(path); failure != failures_.end()) {
    return FakeError(path, failure->second);
  }
  const auto link = links_.find(path);
  if (link == links_.end()) return FakeError(path, contents_.contains(path) ? EINVAL : ENOENT);
  return link->second;
}

Result<MemorySpace> FakeFileTree::SpaceOf(const std::string& path) {
  const MutexLock lock(mutex_);
  if (const auto failure = failures_.find(path); failure != failures_.end()) {
    return FakeError(path, failure->second);
  }
  const auto space = spaces_.find(path);
  if (space == spaces_.end()) return FakeError(path, ENOENT);
  return space->second;
}

}  // namespace gpuwhy
