#include "collect/procfs/kept_file.h"

#include <cerrno>
#include <utility>

#include "base/i18n.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kFirstSize = std::size_t{16} << 10U;

}  // namespace

KeptFile::KeptFile(FileTree& files, Clock& clock, std::string path)
    : files_(files), clock_(clock), path_(std::move(path)) {}

Result<TimedText> KeptFile::Read() {
  if (!file_) {
    Result<std::unique_ptr<OpenFile>> opened = files_.Open(path_);
    if (!opened) return opened.error();
    file_ = *std::move(opened);
  }
  if (buffer_.empty()) buffer_.resize(kFirstSize);
  while (true) {
    const MonoTime before = clock_.Now();
    const Result<std::size_t> length = file_->Read(buffer_);
    const MonoTime at = before + (clock_.Now() - before) / 2;
    if (!length) {
      file_.reset();
      return length.error();
    }
    // A full buffer may have cut the file: read it all again, so that it is of one moment.
    if (*length < buffer_.size())
      return TimedText{std::string_view(buffer_).substr(0, *length), at};
    if (buffer_.size() >= FileTree::kDefaultLimit) {
      return Error{_("cannot be read"), path_, EFBIG};
    }
    buffer_.resize(buffer_.size() * 2);
  }
}

}  // namespace gpuwhy
