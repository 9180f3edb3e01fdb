#include "trace/trace_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "base/i18n.h"
#include "trace/archive.h"
#include "trace/importers/kineto.h"
#include "trace/importers/nsys_sqlite.h"
#include "trace/importers/xplane.h"

namespace gpuwhy::trace {
namespace {

// A stream whose first bytes were looked at.
class PeekedStream final : public ByteStream {
 public:
  explicit PeekedStream(ByteStream& inner) : inner_(inner) {
    while (size_ < head_.size()) {
      Result<std::size_t> got = inner_.Read({head_.data() + size_, head_.size() - size_});
      if (!got) failure_ = got.error();
      if (!got || *got == 0) break;
      size_ += *got;
    }
  }
  [[nodiscard]] std::string_view Head() const { return {head_.data(), size_}; }
  Result<std::size_t> Read(std::span<char> buffer) override {
    if (used_ < size_) {
      const std::size_t n = std::min(buffer.size(), size_ - used_);
      std::memcpy(buffer.data(), head_.data() + used_, n);
      used_ += n;
      return n;
    }
    if (failure_) return *failure_;
    return inner_.Read(buffer);
  }

 private:
  ByteStream& inner_;
  std::array<char, 512> head_{};
  std::size_t size_ = 0, used_ = 0;
  std::optional<Error> failure_;
};

// Passes reads on to a stream that another owns.
class BorrowedStream final : public ByteStream {
 public:
  explicit BorrowedStream(ByteStream& inner) : inner_(inner) {}
  Result<std::size_t> Read(std::span<char> buffer) override { return inner_.Read(buffer); }

 private:
  ByteStream& inner_;
};

bool LooksLikeJson(std::string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (head[first] == '{' || head[first] == '[');
}

class FileImport {
 public:
  FileImport(const TraceSource& source, const std::function<void(Timeline)>& take)
      : source_(source), take_(take) {}

  // depth: how many archives and compressions this lies in.
  Status Import(ByteStream& bytes, const std::string& name, int depth) {
    constexpr int kDeepest = 4;
    PeekedStream stream(bytes);
    const std::string_view head = stream.Head();
    if (head.empty()) {
      Result<std::size_t> why = stream.Read({});
      if (why.ok()) return Error{_("the file is empty"), name, 0};
      return Error{why.error().message, name, why.error().sys_errno};
    }
    if (IsSqlite(head)) return ImportSqlite(name, depth);
    if (IsGzip(head) && depth < kDeepest) {
      const std::unique_ptr<ByteStream> inflated =
          MakeReadAhead(MakeGzipStream(std::make_unique<BorrowedStream>(stream)));
      return Import(*inflated, name, depth + 1);
    }
    if (IsArchive(head) && depth < kDeepest) return ImportArchive(stream, name, depth);
    const bool planes = IsXplane(head);
    if (!planes && !LooksLikeJson(head)) {
      return Error{_("not recognised as a trace: it is no JSON, gzip, tar, zip, SQLite or XPlane "
                     "file"),
                   name, 0};
    }
    Result<Timeline> timeline = planes ? ImportXplane(stream, name) : ImportKineto(stream, name);
    if (!timeline) return timeline.error();
    Take(*std::move(timeline));
    return Done{};
  }

  std::vector<Error> TakeLeftOut() {
    if (unnamed_ > 0) {
      left_out_.push_back(
          {Format(_("{} more files in it could not be used"), unnamed_), source_.name, 0});
    }
    return std::move(left_out_);
  }

 private:
  Status ImportSqlite(const std::string& name, int depth) {
    if (depth > 0) return Error{_("an SQLite export must be unpacked first"), name, 0};
    if (source_.path.empty()) {
      return Error{_("an SQLite export can't be read from a pipe: give its file's name"), name, 0};
    }
    Result<Timeline> timeline = ImportNsysSqlite(source_.path);
    if (!timeline) return timeline.error();
    Take(*std::move(timeline));
    return Done{};
  }

  Status ImportArchive(ByteStream& stream, const std::string& name, int depth) {
    const std::size_t before = taken_;
    std::vector<Error> refused;
    const Status status =
        ForEachMember(stream, [&](const std::string& member, ByteStream& content) {
          const Status one = Import(content, name + "!" + member, depth + 1);
          if (!one.ok()) LeaveOut(one.error(), refused);
        });
    if (!status.ok()) {
      // Last, but nearer to the reason than members that it made unreadable.
      refused.insert(refused.begin(), {status.error().message, name, status.error().sys_errno});
    }
    if (taken_ == before) {
      return refused.empty() ? Error{_("the archive holds no file"), name, 0} : refused.front();
    }
    left_out_.insert(left_out_.end(), refused.begin(), refused.end());
    return Done{};
  }

  void Take(Timeline timeline) {
    ++taken_;
    take_(std::move(timeline));
  }

  // An archive of a whole disk has many files that are no traces: the first ones tell what it is.
  void LeaveOut(const Error& error, std::vector<Error>& refused) {
    constexpr std::size_t kMostNamed = 20;
    if (refused.size() < kMostNamed) {
      refused.push_back(error);
    } else {
      ++unnamed_;
    }
  }

  const TraceSource& source_;
  const std::function<void(Timeline)>& take_;
  std::vector<Error> left_out_;
  std::size_t taken_ = 0, unnamed_ = 0;
};

}  // namespace

bool MayHoldTrace(std::string_view first) {
  const std::string_view head = first.substr(0, 512);
  return IsSqlite(head) || IsGzip(head) || IsXplane(head) ||
         (head.size() == 512 && IsArchive(head));
}

Result<std::vector<Error>> ImportTraceFile(const TraceSource& source,
                                           std::unique_ptr<ByteStream> bytes,
                                           const std::function<void(Timeline)>& take) {
  FileImport import(source, take);
  const Status status = import.Import(*bytes, source.name, 0);
  if (!status.ok()) return status.error();
  return import.TakeLeftOut();
}

}  // namespace gpuwhy::trace
