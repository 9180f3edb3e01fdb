// The third part of ObjectIndex: what threads may wait for whose system calls could not be read.
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "derive/objects.h"

namespace gpuwhy {
namespace {

bool HasQueues(WchanFamily family) {
  // Shared memory is mapped by many and waited on by few: of a futex nothing is guessed.
  return family == WchanFamily::kPipe || family == WchanFamily::kSocket ||
         family == WchanFamily::kPoll;
}

/// "anon_pipe_write", "sock_alloc_send_pskb", "sk_stream_wait_memory".
bool WaitsForRoom(std::string_view wchan) {
  static constexpr std::array<std::string_view, 4> kParts = {"write", "alloc_send", "wait_memory",
                                                             "wmem"};
  return std::any_of(kParts.begin(), kParts.end(), [&](std::string_view part) {
    return wchan.find(part) != std::string_view::npos;
  });
}

bool IsOf(WchanFamily family, std::string_view target) {
  const bool pipe = target.starts_with("pipe:[");
  const bool socket = target.starts_with("socket:[");
  if (family == WchanFamily::kPipe) return pipe;
  if (family == WchanFamily::kSocket) return socket;
  return pipe || socket || target.find("[eventfd]") != std::string_view::npos;
}

}  // namespace

ObjectIndex::GuessKey ObjectIndex::KeyOfGuess(const ThreadSample& sample) const {
  return {sample.pid, Family(sample.wchan), WaitsForRoom(capture_.Name(sample.wchan))};
}

QueueGuess ObjectIndex::GuessOf(const ThreadSample& sample) const {
  const auto guess = guesses_.find(KeyOfGuess(sample));
  if (guess == guesses_.end()) return {};
  return {guess->second, std::get<2>(guess->first)};
}

void ObjectIndex::NoteGuesses() {
  for (const ThreadSample& sample : capture_.thread_samples) {
    const bool denied = sample.call_state == SyscallState::kDenied;
    if (!denied || sample.wchan_state != WchanState::kName) continue;
    if (!HasQueues(Family(sample.wchan))) continue;
    guesses_.try_emplace(KeyOfGuess(sample), 0);
    guess_fds_.try_emplace(sample.pid);
  }
  for (const FdSeen& fd : capture_.fds) {
    const auto fds = guess_fds_.find(fd.pid);
    if (fds == guess_fds_.end() || fds->second.size() >= kMaxFds) continue;
    if (!IsOf(WchanFamily::kPoll, capture_.Name(fd.ref.target))) continue;
    fds->second.push_back(fd.ref);
    ExpectHolders(fd.ref);
  }
}

void ObjectIndex::ResolveGuesses() {
  first_guess_ = static_cast<std::uint32_t>(waits_.size());
  for (auto& [key, index] : guesses_) {
    const auto& [pid, family, writes] = key;
    WaitDetail detail;
    detail.pid = pid;
    ResolvedWait wait;
    wait.shape.wants_write = writes;
    for (const FdRef& ref : guess_fds_[pid]) {
      if (IsOf(family, capture_.Name(ref.target))) ResolveFd(detail, Use{}, ref, wait);
    }
    if (!wait.shape.queue) continue;
    wait.shape = WaitShape{};
    wait.shape.queue = true;
    wait.shape.wants_write = writes;
    index = static_cast<std::uint32_t>(waits_.size());
    waits_.push_back(std::move(wait));
  }
}

}  // namespace gpuwhy
