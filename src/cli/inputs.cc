#include "cli/inputs.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>

#include "base/i18n.h"
#include "base/text.h"
#include "capture/recent.h"
#include "cli/read_file.h"
#include "cli/seen_files.h"
#include "derive/window.h"
#include "parse/paste/paste_reader.h"

namespace gpuwhy {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFilesOfAFolder = 10'000;
constexpr std::size_t kFirstLook = std::size_t{64} << 10U;
// A gigabyte of text takes ten seconds to read: larger ones are said to be too large.
constexpr std::size_t kLargestPaste = std::size_t{256} << 20U;
// Of a text in which nothing is known so far no more is read: noise without an end.
constexpr std::size_t kMostUnknown = std::size_t{32} << 20U;
constexpr std::uint32_t kMostUnknownLines = 1'000'000;
constexpr std::size_t kPart = std::size_t{1} << 20U;

/// Text, as far as its beginning tells: outputs hold no NUL but in the UTF-16 of PowerShell.
bool LooksLikeText(std::string_view bytes) {
  return bytes.substr(0, 2) == "\xff\xfe" || bytes.find('\0') == std::string_view::npos;
}

// A pipe whose first bytes were looked at. Not read whole: a trace may be larger than memory.
class LookedAtStream final : public trace::ByteStream {
 public:
  LookedAtStream(std::string head, std::unique_ptr<NamedFile> file)
      : head_(std::move(head)), file_(std::move(file)) {}
  Result<std::size_t> Read(std::span<char> buffer) override {
    if (used_ == head_.size()) {
      head_.clear();
      used_ = 0;
      const Status read = file_->Read(buffer.size(), head_);
      if (!read.ok()) return read.error();
    }
    const std::size_t n = head_.copy(buffer.data(), buffer.size(), used_);
    used_ += n;
    return n;
  }

 private:
  std::string head_;
  std::size_t used_ = 0;
  std::unique_ptr<NamedFile> file_;
};

// The files in a folder; an error where it can't be listed.
Result<std::vector<std::string>> FilesIn(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  fs::directory_iterator entry(folder, failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    std::error_code unknown;
    // symlink_status: a link may lead anywhere, back to this folder too.
    if (fs::is_regular_file(entry->symlink_status(unknown)))
      files.push_back(entry->path().string());
    if (files.size() >= kMostFilesOfAFolder) break;
  }
  if (failed) return Error{_("cannot list the folder"), Printable(folder), failed.value()};
  std::sort(files.begin(), files.end());
  return files;
}

class Reader {
 public:
  void ReadPath(const std::string& path) {
    std::error_code unknown;
    if (path == "-" || !fs::is_directory(path, unknown)) return ReadOne(path);
    Result<std::vector<std::string>> files = FilesIn(path);
    if (!files.ok()) {
      inputs_.errors.push_back(files.error());
      return;
    }
    if (files->size() >= kMostFilesOfAFolder) {
      inputs_.errors.push_back(
          {Format(_("holds more files than are read: {} of them were looked at"),
                  kMostFilesOfAFolder),
           Printable(path), 0});
    }
    for (const std::string& file : *files) ReadOne(file);
  }

  Inputs Take() { return std::move(inputs_); }

 private:
  void ReadOne(const std::string& path) {
    InputReport report;
    report.name = path;
    Read(path, report);
    inputs_.reports.push_back(std::move(report));
  }

  void Read(const std::string& path, InputReport& report) {
    if (const std::string first = seen_.Add(path); !first.empty()) {
      report.problems.push_back(Format(_("not used: it is the same file as {}"), first));
      return;
    }
    std::unique_ptr<NamedFile> file = std::make_unique<NamedFile>(path);
    std::string bytes;
    const Status read = file->Read(kFirstLook, bytes);
    if (!read.ok()) {
      Fail(read.error(), report);
    } else if (IsRecording(bytes)) {
      if (ReadRest(*file, kLargestInput, bytes, report)) Decode(bytes, report);
    } else if (MayBeTrace(bytes)) {
      ReadTrace(path, std::move(file), std::move(bytes), report);
    } else if (LooksLikeText(bytes)) {
      ReadText(path, *file, std::move(bytes), report);
    }
  }

  // False: it is longer, or can't be read. A longer file is not read at all, of a pipe no more than
  // that.
  bool ReadRest(NamedFile& file, std::size_t largest, std::string& bytes, InputReport& report) {
    if (file.Size() <= largest) {
      const Status read = file.Read(largest + 1 - bytes.size(), bytes);
      if (!read.ok()) Fail(read.error(), report);
      if (!read.ok() || bytes.size() <= largest) return read.ok();
    }
    Fail(TooLarge(file, largest), report);
    return false;
  }

  static Error TooLarge(const NamedFile& file, std::size_t largest) {
    return {Format(_("not read: it is larger than {} MiB"), largest >> 20U), file.Name(), 0};
  }

  void Fail(const Error& error, InputReport& report) {
    report.problems.push_back(error.Text());
    inputs_.errors.push_back(error);
  }

  void Decode(const std::string& bytes, InputReport& report) {
    report.recognised_as = "recording";
    if (inputs_.recording) {
      report.problems.emplace_back(_("not used: one recording is diagnosed at a time, the first"));
      return;
    }
    Result<DecodedRecording> recording = DecodeRecording(bytes, report.name);
    if (!recording.ok()) return Fail(recording.error(), report);
    report.used = true;
    report.problems = Problems(*recording);
    inputs_.recording = *std::move(recording);
    KeepSince(inputs_.recording->capture, DiagnosedWindow(inputs_.recording->capture).from);
  }

  void ReadTrace(const std::string& path, std::unique_ptr<NamedFile> file, std::string first,
                 InputReport& report) {
    std::error_code unknown;
    const bool again = path != "-" && fs::is_regular_file(path, unknown);
    const Status read =
        again ? inputs_.traces.Read(path)
              : inputs_.traces.ReadStream(
                    path, std::make_unique<LookedAtStream>(std::move(first), std::move(file)));
    if (!read.ok()) return Fail(read.error(), report);
    report.recognised_as = kTraceInput;
    report.used = true;
    report.problems = inputs_.traces.Problems();
  }

  /// first: what was read of it. A text is read part by part: memory does not grow with it.
  void ReadText(const std::string& path, NamedFile& file, std::string first, InputReport& report) {
    if (file.Size() > kLargestPaste) return Fail(TooLarge(file, kLargestPaste), report);
    const bool any = inputs_.pasted.any;
    PasteReader reader(path == "-" ? path : fs::path(path).filename().string(), inputs_.pasted);
    std::string part = std::move(first);
    std::size_t total = 0;
    std::size_t most = kLargestPaste;
    while (!part.empty() && total <= most) {
      reader.Add(part);
      total += part.size();
      const bool much = total > kMostUnknown || reader.Lines() > kMostUnknownLines;
      if (much && !reader.Any()) most = std::min(total - 1, kMostUnknown);
      part.clear();
      const Status read = file.Read(kPart, part);
      if (!read.ok()) Fail(read.error(), report);
    }
    const PasteReport paste = reader.Finish();
    inputs_.pasted.any = any || !paste.formats.empty();
    report.used = !paste.formats.empty();
    if (!part.empty()) {
      Fail({Format(_("it is larger than {} MiB: no more of it was read"), most >> 20U), file.Name(),
            0},
           report);
    }
    for (const std::string& format : paste.formats) {
      report.recognised_as += (report.recognised_as.empty() ? "" : ", ") + format;
    }
    for (const Problem& problem : paste.problems) {
      report.problems.push_back(
          problem.line == 0 ? problem.text : Format(_("line {}: {}"), problem.line, problem.text));
    }
  }

  Inputs inputs_;
  SeenFiles seen_;
};

}  // namespace

Inputs ReadInputs(const std::vector<std::string>& paths) {
  Reader reader;
  for (const std::string& path : paths) reader.ReadPath(path);
  return reader.Take();
}

std::vector<std::string> Problems(const DecodedRecording& recording) {
  std::vector<std::string> problems;
  if (!recording.complete) {
    problems.emplace_back(_("it has no end: gpuwhy was killed, or the file was cut"));
  }
  if (recording.lost_bytes > 0) {
    problems.push_back(Format(_("{} bytes at the end could not be used"), recording.lost_bytes));
  }
  if (recording.damaged_frames > 0) {
    problems.push_back(
        Format(_("{} frames are damaged and were left out"), recording.damaged_frames));
  }
  if (recording.unknown_frames > 0) {
    problems.push_back(Format(_("{} frames are of a kind that this version does not know"),
                              recording.unknown_frames));
  }
  return problems;
}

}  // namespace gpuwhy
