#include "capture/interner.h"

#include <algorithm>
#include <iterator>

namespace gpuwhy {
namespace {

constexpr std::string_view kOverflow = "(too many names)";

void Append(std::string& key, std::uint64_t value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// A key that is equal exactly where two details are: every field in order, lengths before lists.
std::string KeyOf(const WaitDetail& d) {
  std::string key;
  Append(key, static_cast<std::uint32_t>(d.pid));
  Append(key, d.fds.size());
  for (const FdRef& f : d.fds) {
    Append(key, static_cast<std::uint32_t>(f.fd));
    Append(key, f.target);
    Append(key, static_cast<std::uint64_t>(f.access));
    Append(key, static_cast<std::uint32_t>(f.mount_id));
    Append(key, f.inode);
    Append(key, static_cast<std::uint64_t>(f.eventfd_id));
    Append(key, f.epoll_targets.size());
    for (const std::int32_t t : f.epoll_targets) Append(key, static_cast<std::uint32_t>(t));
  }
  Append(key, (d.wants_write ? 1U : 0U) | (d.futex_private ? 2U : 0U) | (d.timer_only ? 4U : 0U) |
                  (d.futex_address ? 8U : 0U) | (d.sysv_id ? 16U : 0U) | (d.resolved ? 32U : 0U));
  Append(key, d.futex_address ? *d.futex_address
                              : static_cast<std::uint64_t>(d.futex_address.missing().why));
  Append(key, d.path);
  Append(key, d.sysv_id ? static_cast<std::uint32_t>(*d.sysv_id)
                        : static_cast<std::uint64_t>(d.sysv_id.missing().why));
  if (!d.resolved) {
    Append(key, static_cast<std::uint64_t>(d.resolved.missing().why));
    key += d.resolved.missing().detail;
  }
  return key;
}

template <class T>
std::vector<T> From(const std::vector<T>& all, std::size_t from) {
  const auto offset = static_cast<std::ptrdiff_t>(std::min(from, all.size()));
  return {std::next(all.begin(), offset), all.end()};
}

}  // namespace

Interner::Interner() : names_{"", std::string(kOverflow)}, details_(1) {
  name_ids_ = {{"", 0}, {std::string(kOverflow), 1}};
}

NameId Interner::Intern(std::string_view text) {
  const MutexLock lock(mutex_);
  std::string key(text);
  if (const auto it = name_ids_.find(key); it != name_ids_.end()) return it->second;
  if (names_.size() >= kMaxEntries) return 1;
  const auto id = static_cast<NameId>(names_.size());
  names_.push_back(key);
  name_ids_.emplace(std::move(key), id);
  return id;
}

std::uint32_t Interner::InternDetail(const WaitDetail& detail) {
  if (detail == WaitDetail{}) return 0;
  std::string key = KeyOf(detail);
  const MutexLock lock(mutex_);
  if (const auto it = detail_ids_.find(key); it != detail_ids_.end()) return it->second;
  if (details_.size() >= kMaxEntries) return 0;
  const auto id = static_cast<std::uint32_t>(details_.size());
  details_.push_back(detail);
  detail_ids_.emplace(std::move(key), id);
  return id;
}

std::vector<std::string> Interner::NamesFrom(std::size_t from) {
  const MutexLock lock(mutex_);
  return From(names_, from);
}

std::vector<WaitDetail> Interner::DetailsFrom(std::size_t from) {
  const MutexLock lock(mutex_);
  return From(details_, from);
}

}  // namespace gpuwhy
