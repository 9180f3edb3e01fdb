// gzip by ISA-L, member after member.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <isa-l/igzip_lib.h>

#include "base/i18n.h"
#include "trace/byte_stream.h"

namespace gpuwhy::trace {
namespace {

class MemoryStream final : public ByteStream {
 public:
  explicit MemoryStream(std::string_view bytes) : rest_(bytes) {}
  Result<std::size_t> Read(std::span<char> buffer) override {
    const std::size_t n = std::min(buffer.size(), rest_.size());
    std::copy_n(rest_.begin(), n, buffer.begin());
    rest_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view rest_;
};

class GzipStream final : public ByteStream {
 public:
  explicit GzipStream(std::unique_ptr<ByteStream> compressed)
      : compressed_(std::move(compressed)), input_(std::size_t{256} << 10U) {
    StartMember();
  }

  Result<std::size_t> Read(std::span<char> buffer) override {
    if (ended_ || buffer.empty()) return std::size_t{0};
    state_.next_out = reinterpret_cast<std::uint8_t*>(buffer.data());
    const std::size_t room = std::min<std::size_t>(buffer.size(), std::size_t{1} << 30U);
    state_.avail_out = static_cast<std::uint32_t>(room);
    while (state_.avail_out > 0 && !ended_) {
      Result<bool> more = Step();
      const std::size_t got = room - state_.avail_out;
      if (!more) {
        if (got == 0) return more.error();
        failure_ = more.error();  // hand out what is whole first
        ended_ = false;
        return got;
      }
      if (!*more) break;
    }
    return room - state_.avail_out;
  }

 private:
  void StartMember() {
    isal_inflate_init(&state_);
    state_.crc_flag = ISAL_GZIP;
    in_member_ = false;
  }

  // One call of the inflater. False: the compressed stream has ended between members.
  Result<bool> Step() {
    if (failure_.has_value()) return *failure_;
    if (state_.avail_in == 0) {
      Result<std::size_t> got = compressed_->Read(input_);
      if (!got) return got.error();
      consumed_ += *got;
      state_.next_in = reinterpret_cast<std::uint8_t*>(input_.data());
      state_.avail_in = static_cast<std::uint32_t>(*got);
      if (*got == 0) {
        if (in_member_ && Flush()) return true;
        ended_ = true;
        if (!in_member_) return false;
        return Fail(_("the gzip stream ends in the middle"));
      }
    }
    if (!in_member_ && !SkipToMember()) return true;
    in_member_ = true;
    const int status = isal_inflate(&state_);
    if (status != ISAL_DECOMP_OK && status != ISAL_END_INPUT)
      return Fail(_("the gzip stream is damaged"));
    if (state_.block_state == ISAL_BLOCK_FINISH) NextMember();
    return true;
  }

  // The inflater keeps back what did not fit into an earlier buffer. False: it held nothing.
  bool Flush() {
    const std::uint32_t before = state_.avail_out;
    isal_inflate(&state_);
    return state_.avail_out != before;
  }

  // Zero bytes between and after members are padding of tape and block devices.
  bool SkipToMember() {
    while (state_.avail_in > 0 && *state_.next_in == 0) {
      ++state_.next_in;
      --state_.avail_in;
    }
    return state_.avail_in > 0;
  }

  void NextMember() {
    std::uint8_t* const next_in = state_.next_in;
    const std::uint32_t avail_in = state_.avail_in;
    std::uint8_t* const next_out = state_.next_out;
    const std::uint32_t avail_out = state_.avail_out;
    StartMember();
    state_.next_in = next_in;
    state_.avail_in = avail_in;
    state_.next_out = next_out;
    state_.avail_out = avail_out;
  }

  Error Fail(const char* what) {
    ended_ = true;
    return {what, "@" + std::to_string(consumed_ - state_.avail_in), 0};
  }

  std::unique_ptr<ByteStream> compressed_;
  std::vector<char> input_;
  inflate_state state_{};
  std::uint64_t consumed_ = 0;
  bool in_member_ = false;
  bool ended_ = false;
  std::optional<Error> failure_;
};

}  // namespace

std::unique_ptr<ByteStream> MakeMemoryStream(std::string_view bytes) {
  return std::make_unique<MemoryStream>(bytes);
}

std::unique_ptr<ByteStream> MakeGzipStream(std::unique_ptr<ByteStream> compressed) {
  return std::make_unique<GzipStream>(std::move(compressed));
}

bool IsGzip(std::string_view head) {
  return head.size() >= 2 && head[0] == '\x1f' && head[1] == '\x8b';
}

}  // namespace gpuwhy::trace
