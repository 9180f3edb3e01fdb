// What a fact or a finding is about.
#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace gpuwhy {

enum class SubjectKind : unsigned char {
  kHost,
  kGpu,
  kMigInstance,
  kLink,
  kMount,
  kBlockDevice,
  kCgroup,
  kJob,
  kRank,
  kProcess,
  kThreadGroup,
  kFile,
  kInput,
};

/// Stable name for JSON and ids: "host", "gpu", "mig", "link", "mount", "block", "cgroup", "job",
/// ...
[[nodiscard]] std::string_view SubjectKindId(SubjectKind kind);

/// A job is "job:<pid of its root>", a process "process:<pid>", a mount "mount:<mount point>", a
/// GPU its UUID.
struct Subject {
  SubjectKind kind = SubjectKind::kHost;
  std::string id;  ///< empty for the host; as read, made printable only when shown

  /// "job:4242", "host".
  [[nodiscard]] std::string Text() const;
  friend auto operator<=>(const Subject&, const Subject&) = default;
};

/// A read limit of a cgroup on one device: "cgroup:/a on sda".
[[nodiscard]] Subject ReadLimitSubject(const std::string& cgroup, const std::string& device);

}  // namespace gpuwhy
