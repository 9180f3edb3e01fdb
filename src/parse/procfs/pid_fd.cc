#include "parse/procfs/pid_fd.h"

#include <optional>

#include "base/text.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kMaxEpollTargets = 4096;

FdAccess AccessOf(std::uint64_t flags) {
  switch (flags & 3U) {  // O_ACCMODE
    case 0:
      return FdAccess::kRead;
    case 1:
      return FdAccess::kWrite;
    case 2:
      return FdAccess::kBoth;
    default:
      return FdAccess::kUnknown;
  }
}

// "pipe:[7]" -> 7
std::optional<std::uint64_t> BracketNumber(std::string_view link, std::string_view prefix) {
  if (link.substr(0, prefix.size()) != prefix || link.back() != ']') return std::nullopt;
  link.remove_prefix(prefix.size());
  link.remove_suffix(1);
  return ParseNumber<std::uint64_t>(link);
}

void TakeEpollTarget(std::string_view value, FdInfo& info) {
  const std::vector<std::string_view> fields = Fields(value);
  if (fields.empty() || info.epoll_targets.size() >= kMaxEpollTargets) return;
  if (const std::optional<std::int32_t> fd = ParseNumber<std::int32_t>(fields[0]))
    info.epoll_targets.push_back(*fd);
}

}  // namespace

FdInfo ParseFdInfo(std::string_view text) {
  FdInfo info;
  info.eventfd_count = Missing{Why::kNotPresent, "eventfd-count"};
  while (!text.empty()) {
    std::string_view line = NextLine(text);
    const std::string_view key = Trim(NextToken(line, ':'));
    const std::string_view value = Trim(line);
    if (key == "flags") {
      if (const auto flags = ParseNumber<std::uint64_t>(value, 8)) info.access = AccessOf(*flags);
    } else if (key == "mnt_id") {
      info.mount_id = ParseNumber<std::int32_t>(value).value_or(0);
    } else if (key == "ino") {
      info.inode = ParseNumber<std::uint64_t>(value).value_or(0);
    } else if (key == "eventfd-id") {
      info.eventfd_id = ParseNumber<std::int64_t>(value).value_or(-1);
    } else if (key == "eventfd-count") {  // the only hexadecimal one
      if (const auto count = ParseNumber<std::uint64_t>(value, 16)) info.eventfd_count = *count;
    } else if (key == "tfd") {
      TakeEpollTarget(value, info);
    }
  }
  return info;
}

FdLink ParseFdLink(std::string_view link) {
  if (link.empty()) return {};
  if (link.front() == '/') return {FdLinkKind::kFile, 0};
  if (const auto pipe = BracketNumber(link, "pipe:[")) return {FdLinkKind::kPipe, *pipe};
  if (const auto socket = BracketNumber(link, "socket:[")) return {FdLinkKind::kSocket, *socket};
  constexpr std::string_view kAnonymous = "anon_inode:";
  if (link.substr(0, kAnonymous.size()) == kAnonymous) return {FdLinkKind::kAnonymous, 0};
  return {};
}

}  // namespace gpuwhy
