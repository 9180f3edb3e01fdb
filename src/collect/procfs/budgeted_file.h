// A file of /proc that is read many times: kept open where descriptors are left, else opened for
// each read (about three times the cost).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/file_tree.h"

namespace gpuwhy {

/// How many files may be kept open at once. Shared by all BudgetedFiles of one source; one thread.
struct DescriptorBudget {
  std::size_t left = 0;
};

/// Soft limit of open files of this process less a reserve for the rest of the tool; 256 where the
/// limit can't be read.
[[nodiscard]] std::size_t KeepableDescriptors(FileTree& files);

class BudgetedFile {
 public:
  /// budget must outlive the file.
  BudgetedFile(std::string path, DescriptorBudget& budget);
  BudgetedFile(BudgetedFile&& other) noexcept;
  BudgetedFile& operator=(BudgetedFile&&) = delete;
  BudgetedFile(const BudgetedFile&) = delete;
  BudgetedFile& operator=(const BudgetedFile&) = delete;
  ~BudgetedFile();

  /// The content now, as much as buffer holds. The view is into buffer.
  Result<std::string_view> Read(FileTree& files, std::span<char> buffer);
  [[nodiscard]] const std::string& Path() const { return path_; }

 private:
  Result<std::string_view> ReadOnce(FileTree& files, std::span<char> buffer) const;

  std::string path_;
  DescriptorBudget* budget_;
  std::unique_ptr<OpenFile> open_;
};

}  // namespace gpuwhy
