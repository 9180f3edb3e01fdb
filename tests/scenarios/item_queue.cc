#include "item_queue.h"

#include <fcntl.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <new>
#include <string>
#include <utility>

namespace {

bool WriteWhole(int fd, const Item& item) {
  const char* at = reinterpret_cast<const char*>(&item);
  std::size_t left = sizeof(item);
  while (left > 0) {
    const ssize_t done = write(fd, at, left);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    left -= static_cast<std::size_t>(done);
  }
  return true;
}

bool ReadWhole(int fd, Item& item) {
  char* at = reinterpret_cast<char*>(&item);
  std::size_t left = sizeof(item);
  while (left > 0) {
    const ssize_t done = read(fd, at, left);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    left -= static_cast<std::size_t>(done);
  }
  return true;
}

// A pipe or a stream socket pair: one descriptor to put into, one to take from.
class DescriptorQueue final : public ItemQueue {
 public:
  DescriptorQueue(int take_fd, int put_fd) : take_fd_(take_fd), put_fd_(put_fd) {}
  ~DescriptorQueue() override {
    Close(take_fd_);
    Close(put_fd_);
  }
  bool Put(const Item& item) override { return WriteWhole(put_fd_, item); }
  bool Take(Item& item) override { return ReadWhole(take_fd_, item); }
  void KeepOnlyPutEnd() override { Close(take_fd_); }
  void KeepOnlyTakeEnd() override { Close(put_fd_); }

 private:
  static void Close(int& fd) {
    if (fd >= 0) close(fd);
    fd = -1;
  }
  int take_fd_, put_fd_;
};

constexpr std::size_t kSlots = 16;

// A bounded ring in shared memory. `turn` keeps loaders from writing into one slot; it is held for
// the copy of one item only, so nobody sleeps on it for long.
struct Ring {
  sem_t filled, free, put_turn, take_turn;
  std::uint64_t put_at = 0, taken = 0;
  std::array<Item, kSlots> slots;
};

bool Wait(sem_t& semaphore) {
  while (sem_wait(&semaphore) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

// A semaphore can't tell that the other side died: processes of this job die with their parent
// (PR_SET_PDEATHSIG), and the parent leaves on a signal.
class SharedMemoryQueue final : public ItemQueue {
 public:
  explicit SharedMemoryQueue(Ring& ring) : ring_(ring) {}
  ~SharedMemoryQueue() override { munmap(&ring_, sizeof(Ring)); }
  bool Put(const Item& item) override {
    if (!Wait(ring_.free) || !Wait(ring_.put_turn)) return false;
    ring_.slots[ring_.put_at++ % kSlots] = item;
    sem_post(&ring_.put_turn);
    sem_post(&ring_.filled);
    return true;
  }
  bool Take(Item& item) override {
    if (!Wait(ring_.filled) || !Wait(ring_.take_turn)) return false;
    item = ring_.slots[ring_.taken++ % kSlots];
    sem_post(&ring_.take_turn);
    sem_post(&ring_.free);
    return true;
  }
  void KeepOnlyPutEnd() override {}
  void KeepOnlyTakeEnd() override {}

 private:
  Ring& ring_;
};

std::unique_ptr<ItemQueue> MakePipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return nullptr;
  return std::make_unique<DescriptorQueue>(ends[0], ends[1]);
}

std::unique_ptr<ItemQueue> MakeSocketPair() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return nullptr;
  // Small buffers: a queue that holds thousands of items would hide a starvation for seconds.
  const int bytes = 32 * 1024;
  setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
  return std::make_unique<DescriptorQueue>(ends[0], ends[1]);
}

// A named object, unlinked at once: nothing is left behind, /proc shows "/dev/shm/... (deleted)".
std::unique_ptr<ItemQueue> MakeSharedMemory() {
  const std::string name = "/loader_job." + std::to_string(getpid());
  const int fd = shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
  if (fd < 0) return nullptr;
  shm_unlink(name.c_str());
  void* memory = MAP_FAILED;
  if (ftruncate(fd, static_cast<off_t>(sizeof(Ring))) == 0) {
    memory = mmap(nullptr, sizeof(Ring), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  close(fd);
  if (memory == MAP_FAILED) return nullptr;
  Ring& ring = *new (memory) Ring;
  constexpr int kBetweenProcesses = 1;
  sem_init(&ring.filled, kBetweenProcesses, 0);
  sem_init(&ring.free, kBetweenProcesses, kSlots);
  sem_init(&ring.put_turn, kBetweenProcesses, 1);
  sem_init(&ring.take_turn, kBetweenProcesses, 1);
  return std::make_unique<SharedMemoryQueue>(ring);
}

}  // namespace

std::unique_ptr<ItemQueue> MakeItemQueue(std::string_view kind) {
  errno = 0;
  if (kind == "pipe") return MakePipe();
  if (kind == "socketpair") return MakeSocketPair();
  if (kind == "shm") return MakeSharedMemory();
  return nullptr;
}
