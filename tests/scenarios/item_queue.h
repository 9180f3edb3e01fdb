// The queue between the loaders and the consumer of loader_job: what a data loader puts between its
// worker processes and the training loop. Three kinds, so that the same fault is seen through each.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

/// One loaded item. As small as PIPE_BUF, so that a write by one of many loaders is not torn.
struct Item {
  std::uint64_t number = 0, bytes = 0, checksum = 0;
  char payload[4096 - 3 * sizeof(std::uint64_t)] = {};
};
static_assert(sizeof(Item) == 4096);

/// Made before fork and used on both sides of it; many processes may put, one or many may take.
class ItemQueue {
 public:
  ItemQueue() = default;
  ItemQueue(const ItemQueue&) = delete;
  ItemQueue& operator=(const ItemQueue&) = delete;
  virtual ~ItemQueue() = default;

  /// Blocks while the queue is full. False: the other side is gone.
  [[nodiscard]] virtual bool Put(const Item& item) = 0;
  /// Blocks while the queue is empty. False: the other side is gone.
  [[nodiscard]] virtual bool Take(Item& item) = 0;
  /// Called once in each process after fork: lets go of the end that it does not use, so that the
  /// death of the other side is seen.
  virtual void KeepOnlyPutEnd() = 0;
  virtual void KeepOnlyTakeEnd() = 0;
};

/// kind: "pipe", "socketpair" or "shm". Null, with errno set, where the kernel refuses; null with
/// errno 0 for an unknown kind.
[[nodiscard]] std::unique_ptr<ItemQueue> MakeItemQueue(std::string_view kind);
