// Two blocks: the thread fills one while the reader empties the other. The reader owns the block
// at reading_, the thread the other one; a block changes hands under the mutex.
#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "trace/byte_stream.h"

namespace gpuwhy::trace {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20U;

class ReadAhead final : public ByteStream {
 public:
  explicit ReadAhead(std::unique_ptr<ByteStream> inner) : inner_(std::move(inner)) {
    for (Block& block : blocks_) block.bytes.resize(kBlock);
    thread_ = std::thread([this] { Work(); });
  }
  ~ReadAhead() override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  Result<std::size_t> Read(std::span<char> buffer) override {
    Block& block = blocks_[reading_];
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [&] { return block.full; });
    }
    const std::size_t n = std::min(buffer.size(), block.size - block.used);
    if (n > 0) std::memcpy(buffer.data(), block.bytes.data() + block.used, n);
    block.used += n;
    if (n == 0 && block.error) return *block.error;  // stays full: the end stays the end
    if (block.used == block.size && !block.last) {
      reading_ = 1 - reading_;
      const std::lock_guard<std::mutex> lock(mutex_);
      block.full = false;
      changed_.notify_all();
    }
    return n;
  }

 private:
  struct Block {
    std::vector<char> bytes;
    std::size_t size = 0, used = 0;
    bool full = false, last = false;
    std::optional<Error> error;  // met behind these bytes
  };

  void Work() {
    for (std::size_t i = 0;; i = 1 - i) {
      Block& block = blocks_[i];
      {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [&] { return stop_ || !block.full; });
        if (stop_) return;
      }
      Fill(block);
      const std::lock_guard<std::mutex> lock(mutex_);
      block.full = true;
      changed_.notify_all();
      if (block.last) return;
    }
  }

  void Fill(Block& block) {
    block.size = block.used = 0;
    while (block.size < block.bytes.size() && !block.last) {
      Result<std::size_t> got =
          inner_->Read({block.bytes.data() + block.size, block.bytes.size() - block.size});
      if (!got) block.error = got.error();
      block.last = !got || *got == 0;
      if (got) block.size += *got;
    }
  }

  std::unique_ptr<ByteStream> inner_;
  std::array<Block, 2> blocks_;
  std::size_t reading_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;  // under mutex_
  std::thread thread_;
};

}  // namespace

std::unique_ptr<ByteStream> MakeReadAhead(std::unique_ptr<ByteStream> inner) {
  return std::make_unique<ReadAhead>(std::move(inner));
}

}  // namespace gpuwhy::trace
