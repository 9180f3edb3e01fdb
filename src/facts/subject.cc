#include "facts/subject.h"

namespace gpuwhy {

std::string_view SubjectKindId(SubjectKind kind) {
  switch (kind) {
    case SubjectKind::kHost:
      return "host";
    case SubjectKind::kGpu:
      return "gpu";
    case SubjectKind::kMigInstance:
      return "mig";
    case SubjectKind::kLink:
      return "link";
    case SubjectKind::kMount:
      return "mount";
    case SubjectKind::kBlockDevice:
      return "block";
    case SubjectKind::kCgroup:
      return "cgroup";
    case SubjectKind::kJob:
      return "job";
    case SubjectKind::kRank:
      return "rank";
    case SubjectKind::kProcess:
      return "process";
    case SubjectKind::kThreadGroup:
      return "threads";
    case SubjectKind::kFile:
      return "file";
    case SubjectKind::kInput:
      return "input";
  }
  return "unknown";
}

std::string Subject::Text() const {
  std::string text(SubjectKindId(kind));
  if (!id.empty()) text += ":" + id;
  return text;
}

Subject ReadLimitSubject(const std::string& cgroup, const std::string& device) {
  return {SubjectKind::kCgroup, cgroup + " on " + device};
}

}  // namespace gpuwhy
