#include "collect/procfs/budgeted_file.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "parse/procfs/pid_status.h"

namespace gpuwhy {
namespace {

constexpr std::uint64_t kReserve = 64;       // for the other sources, libraries and the recording
constexpr std::uint64_t kMostKept = 20'000;  // a limit of a million is no reason to use it
constexpr std::size_t kUnknownLimit = 256;

}  // namespace

std::size_t KeepableDescriptors(FileTree& files) {
  const Result<std::string> limits = files.Read("/proc/self/limits");
  if (!limits) return kUnknownLimit;
  const Reading<std::uint64_t> soft = ParseOpenFilesLimit(*limits);
  if (!soft) return kUnknownLimit;
  return *soft <= kReserve ? 0 : std::min(*soft - kReserve, kMostKept);
}

BudgetedFile::BudgetedFile(std::string path, DescriptorBudget& budget)
    : path_(std::move(path)), budget_(&budget) {}

BudgetedFile::BudgetedFile(BudgetedFile&& other) noexcept
    : path_(std::move(other.path_)), budget_(other.budget_), open_(std::move(other.open_)) {}

BudgetedFile::~BudgetedFile() {
  if (open_) ++budget_->left;
}

Result<std::string_view> BudgetedFile::Read(FileTree& files, std::span<char> buffer) {
  if (!open_ && budget_->left > 0) {
    Result<std::unique_ptr<OpenFile>> opened = files.Open(path_);
    if (opened) {
      open_ = std::move(*opened);
      --budget_->left;
    } else if (opened.error().sys_errno == EMFILE || opened.error().sys_errno == ENFILE) {
      budget_->left = 0;  // somebody else holds more than we were told
    } else {
      return opened.error();
    }
  }
  if (!open_) return ReadOnce(files, buffer);
  const Result<std::size_t> length = open_->Read(buffer);
  if (!length) return length.error();
  return std::string_view(buffer.data(), *length);
}

Result<std::string_view> BudgetedFile::ReadOnce(FileTree& files, std::span<char> buffer) const {
  const Result<std::string> content = files.Read(path_);
  if (!content) return content.error();
  const std::size_t length = std::min(content->size(), buffer.size());
  std::copy_n(content->begin(), length, buffer.begin());
  return std::string_view(buffer.data(), length);
}

}  // namespace gpuwhy
