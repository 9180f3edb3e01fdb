// What is waited on, and who holds its other end: pipes, sockets, events, shared futexes, queues.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/capture.h"
#include "derive/process_table.h"
#include "derive/wait_class.h"

namespace gpuwhy {

enum class ObjectKind : unsigned char {
  kPipe,
  kFifo,
  kUnix,
  kTcp,
  kEventfd,
  kFutex,
  kSemaphore,
  kSysvSemaphore,
  kSysvQueue,
  kMessageQueue,
};

/// Equal in every process that shares the thing.
struct ObjectKey {
  ObjectKind kind = ObjectKind::kPipe;
  std::uint64_t a = 0;  ///< inode, id; a connection: its smaller inode
  std::uint64_t b = 0;  ///< device; the connection's larger inode; the path's NameId
  std::uint64_t c = 0;  ///< offset of a futex's word
  friend auto operator<=>(const ObjectKey&, const ObjectKey&) = default;
};

struct WaitObject {
  ObjectKey key;
  std::string name;       ///< "pipe:[123]", "/dev/shm/x"
  bool directed = false;  ///< its ends differ: a reader can't be taken for a writer
};

/// "pipe", "unix", "tcp", "eventfd", "futex", "semaphore", ...
[[nodiscard]] std::string_view MechanismOf(ObjectKind kind);

/// Another process of the job that can end a wait.
struct FarEnd {
  std::size_t process = kNoProcess;
  std::uint32_t object = 0;  ///< index for ObjectIndex::Object
  bool one_way = false;      ///< it holds only the far end, the waiter only the near one
};

struct ResolvedWait {
  WaitShape shape;
  std::vector<FarEnd> fillers;  ///< who can fill it, for a wait for input
  std::vector<FarEnd> drainers;
};

/// What a thread may wait for whose system call could not be read (Yama's ptrace_scope 1 leaves
/// wait channel and descriptors). Which of them is lost; that the same processes are at their other
/// ends is not.
struct QueueGuess {
  std::uint32_t detail = 0;  ///< for ObjectIndex::Wait; 0: nothing that another process holds
  bool writes = false;
};

/// Resolves every detail of the capture once. `members` (by index of processes) bounds whose ends
/// count; a thing held from outside only is a request, a client's call or unproven.
class ObjectIndex {
 public:
  // A hostile job may hold one pipe in thousands of processes, or poll thousands of descriptors:
  // what is looked at per wait is bounded, so that the work grows with the samples only.
  static constexpr std::size_t kMaxFds = 128;
  static constexpr std::size_t kMaxFarEnds = 256;
  static constexpr std::size_t kMaxHolders = 1024;
  static constexpr std::size_t kMaxFarEndsInAll = 1'000'000;

  ObjectIndex(const Capture& capture, const ProcessTable& processes, std::vector<bool> members);

  /// detail: index into Capture::details; a wild one resolves to "nothing known".
  [[nodiscard]] const ResolvedWait& Wait(std::uint32_t detail) const;
  [[nodiscard]] const WaitObject& Object(std::uint32_t object) const { return objects_[object]; }
  [[nodiscard]] WchanFamily Family(NameId wchan) const;
  [[nodiscard]] QueueGuess GuessOf(const ThreadSample& sample) const;
  /// Does this detail stand for all that a process holds?
  [[nodiscard]] bool IsGuess(std::uint32_t detail) const { return detail >= first_guess_; }

 private:
  using GuessKey = std::tuple<std::int32_t, WchanFamily, bool>;  // pid, family, writes

  struct Holder {
    std::size_t process = kNoProcess;
    bool reads = false, writes = false;
  };
  /// How samples used a detail: what its descriptor's text alone does not tell.
  struct Use {
    bool seen = false, pipe_wait = false, message = false, mqueue = false, writes = false;
  };

  [[nodiscard]] static std::uint64_t DeviceKey(DeviceNumber device) {
    return (std::uint64_t{device.major} << 32U) | device.minor;
  }
  [[nodiscard]] static ObjectKey SysvKey(std::int32_t id, bool message) {
    return {message ? ObjectKind::kSysvQueue : ObjectKind::kSysvSemaphore,
            static_cast<std::uint32_t>(id), 0, 0};
  }
  /// Empty where no process of the capture was seen to hold it.
  [[nodiscard]] const std::vector<Holder>& HoldersOf(const ObjectKey& key) const;
  void NoteUses();
  void ExpectHolders(const FdRef& ref);
  /// Makes the empty lists of holders_ that NoteHolder fills.
  void NoteWaitedFor();
  void NoteHolders();
  void NoteHolder(std::int32_t pid, const FdRef& ref);
  void NoteRegions();
  [[nodiscard]] GuessKey KeyOfGuess(const ThreadSample& sample) const;
  /// Finds the descriptors that guesses are made of; before NoteHolders().
  void NoteGuesses();
  void ResolveGuesses();
  void NoteSysvUsers();
  void Resolve(std::uint32_t index);
  void ResolveFd(const WaitDetail& detail, const Use& use, const FdRef& ref, ResolvedWait& wait);
  void ResolvePath(std::size_t waiter, const Use& use, const FdRef& ref, ResolvedWait& wait);
  void ResolvePipe(std::size_t waiter, const FdRef& ref, const ObjectKey& key, ResolvedWait& wait);
  void ResolveSocket(std::size_t waiter, const FdRef& ref, std::uint64_t inode, ResolvedWait& wait);
  void ResolveFutex(std::size_t waiter, const WaitDetail& detail, ResolvedWait& wait);
  void AddSymmetric(std::size_t waiter, const ObjectKey& key, const std::string& name,
                    const std::vector<Holder>& holders, ResolvedWait& wait);
  std::uint32_t ObjectId(const ObjectKey& key, const std::string& name, bool directed);
  void AddEnd(std::vector<FarEnd>& ends, const FarEnd& end);
  [[nodiscard]] bool Member(std::size_t process) const { return members_[process]; }

  const Capture& capture_;
  const ProcessTable& processes_;
  std::vector<bool> members_;
  std::vector<WchanFamily> families_;  ///< by NameId
  std::vector<Use> uses_;              ///< by detail
  std::vector<ResolvedWait> waits_;    ///< by detail
  std::size_t far_ends_ = 0;           ///< in all of waits_
  std::uint32_t first_guess_ = 0;      ///< in waits_, behind all details
  std::map<GuessKey, std::uint32_t> guesses_;
  std::map<std::int32_t, std::vector<FdRef>> guess_fds_;  ///< of processes with guesses
  std::vector<WaitObject> objects_;
  std::map<ObjectKey, std::uint32_t> object_ids_;
  /// Of what some wait is about; sockets by their own inode, under kUnix whatever their kind.
  std::map<ObjectKey, std::vector<Holder>> holders_;
  std::vector<Holder> nobody_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Holder>>
      mapped_;                                                                  ///< by (dev, ino)
  std::unordered_map<std::int32_t, std::vector<const SharedRegion*>> regions_;  ///< by start
  std::unordered_map<std::uint64_t, const SocketSeen*> sockets_;                ///< by inode
};

/// The n of "pipe:[n]", "socket:[n]"; 0 where the text is something else.
[[nodiscard]] std::uint64_t InodeOfLink(std::string_view link, std::string_view prefix);

}  // namespace gpuwhy
