#include "trace/importers/json_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/i18n.h"
#include "trace/importers/json_prefix.h"
#include "trace/importers/json_sanitize.h"

namespace gpuwhy::trace {
namespace {

using simdjson::ondemand::array;
using simdjson::ondemand::document;
using simdjson::ondemand::object;

// A longer event is taken for a broken one: generated kernels have names of some MB, not more.
constexpr std::size_t kMaxEvent = std::size_t{64} << 20U;
// Up to this size an event that does not end is taken for a long one; beyond it, for a broken one
// if another seems to start behind it.
constexpr std::size_t kPlausibleEvent = std::size_t{8} << 20U;
constexpr std::size_t kMaxMetadata = std::size_t{64} << 20U;

// The unread bytes lie in [begin_, end_) of a buffer that is reused; begin_ keeps one byte free for
// the '['.
class Walker {
 public:
  Walker(ByteStream& stream, const EventVisitor& visit, std::size_t chunk)
      : stream_(stream), visit_(visit), chunk_(std::max<std::size_t>(chunk, 16)), window_(chunk_) {}

  Result<JsonWalk> Run() {
    buffer_.resize(chunk_ + simdjson::SIMDJSON_PADDING + 2);
    if (Status found = FindArray(); !found) return found.error();
    while (!walk_.complete) {
      if (Unread().size() < window_) Fill();
      if (at_end_ && Unread().find_first_not_of(" \t\r\n") == std::string_view::npos) break;
      SkipComma();
      const std::size_t before = begin_;
      ParseChunk();
      if (begin_ != before) {
        window_ = std::min(chunk_, std::max<std::size_t>(2 * (begin_ - before), 16));
      } else if (!walk_.complete && !Advance()) {
        break;
      }
    }
    Finish();
    return std::move(walk_);
  }

 private:
  [[nodiscard]] std::string_view Unread() const { return {buffer_.data() + begin_, end_ - begin_}; }

  // Moves what is unread to the front and reads until the buffer is full or the stream ends.
  void Fill() {
    std::memmove(buffer_.data() + 1, buffer_.data() + begin_, end_ - begin_);
    end_ = end_ - begin_ + 1;
    begin_ = 1;
    const std::size_t room = buffer_.size() - simdjson::SIMDJSON_PADDING - 1;
    while (!at_end_ && end_ < room) {
      Result<std::size_t> got = stream_.Read({buffer_.data() + end_, room - end_});
      if (!got) walk_.error = got.error().Text();
      if (!got || *got == 0) at_end_ = true;
      if (got) {
        end_ += *got;
        walk_.bytes += *got;
      }
    }
  }

  Status FindArray() {
    PrefixScanner scanner;
    begin_ = end_ = 1;
    while (true) {
      Fill();
      const std::string_view text = Unread();
      const std::size_t used = scanner.Feed(text);
      walk_.metadata.append(scanner.TakeMetadata(text.substr(0, used)));
      begin_ += used;
      if (scanner.Found()) return Done{};
      if (at_end_ || walk_.metadata.size() > kMaxMetadata || scanner.Failed()) {
        return Error{_("no array of trace events was found"),
                     fmt::format("@{}", walk_.bytes - (end_ - begin_)), 0};
      }
    }
  }

  // Position of the ',' behind the last event that seems to end before limit; begin_ where none
  // does.
  [[nodiscard]] std::size_t CutBefore(std::size_t limit) const {
    for (std::size_t i = limit; i-- > begin_;) {
      if (buffer_[i] != ',') continue;
      std::size_t j = i;
      while (j > begin_ && std::strchr(" \t\r\n", buffer_[j - 1]) != nullptr) --j;
      if (j > begin_ && buffer_[j - 1] == '}') return i;
    }
    return begin_;
  }

  // Where to end the next try: at the end of the file, else behind the last event in the window, or
  // in the buffer where the window holds none.
  [[nodiscard]] std::size_t FirstCut() const {
    for (std::size_t reach = window_; reach < end_ - begin_; reach *= 2) {
      const std::size_t cut = CutBefore(begin_ + reach);
      if (cut > begin_) return cut;
    }
    return at_end_ ? end_ : CutBefore(end_);
  }

  // Consumes nothing where not even the first event can be read.
  void ParseChunk() {
    std::size_t cut = FirstCut();
    bool sanitized = false;
    for (int tries = 0; cut > begin_; ++tries) {
      const simdjson::error_code status = Parse(cut);
      if (status == simdjson::SUCCESS) return;
      if (!sanitized && (status == simdjson::UTF8_ERROR || status == simdjson::UNESCAPED_CHARS)) {
        const std::uint64_t mended = SanitizeJson({buffer_.data() + begin_, end_ - begin_});
        walk_.lost["invalid-bytes"] += mended;
        sanitized = true;
        continue;
      }
      // The cut may lie in a string: try the events before it. An unescaped quote turns all that
      // follows inside out: halving finds what is before it in few steps.
      constexpr int kNearTries = 4;
      cut = CutBefore(tries < kNearTries ? cut : begin_ + (cut - begin_) / 2);
    }
  }

  // Before each chunk: the comma behind the last event that was read alone.
  void SkipComma() {
    const std::size_t at = Unread().find_first_not_of(" \t\r\n");
    if (at != std::string_view::npos && Unread()[at] == ',') begin_ += at + 1;
  }

  simdjson::error_code Parse(std::size_t cut) {
    at_cut_ = buffer_[cut];
    const std::size_t begin = begin_;
    const char before = buffer_[begin - 1];
    buffer_[begin - 1] = '[';
    buffer_[cut] = ']';
    const simdjson::error_code status = Iterate(cut);
    buffer_[cut] = at_cut_;
    buffer_[begin - 1] = before;
    return status;
  }

  // The first event alone, where what was read before ended inside it. False: it is broken.
  bool ParseFirst() {
    const std::string_view text = MuchIsBroken() ? Unread().substr(0, kNear) : Unread();
    const std::size_t length = EventLength(text);
    if (length == 0) return false;
    const std::size_t before = begin_;
    return Parse(begin_ + length) == simdjson::SUCCESS && begin_ > before;
  }

  // Not SUCCESS: the chunk as a whole was refused (nothing was consumed).
  simdjson::error_code Iterate(std::size_t cut) {
    document doc;
    const std::size_t length = cut - (begin_ - 1) + 1;
    const simdjson::error_code refused =
        parser_.iterate(buffer_.data() + begin_ - 1, length, buffer_.size() - (begin_ - 1))
            .get(doc);
    if (refused != simdjson::SUCCESS) return refused;
    array events;
    if (const auto status = doc.get_array().get(events); status != simdjson::SUCCESS) return status;
    const std::size_t base = begin_ - 1;
    for (auto item : events) {
      object event;
      simdjson::ondemand::value value;
      if (item.get(value) != simdjson::SUCCESS) return simdjson::SUCCESS;
      const auto start =
          static_cast<std::size_t>(value.raw_json_token().data() - (buffer_.data() + base)) + base;
      if (value.get_object().get(event) != simdjson::SUCCESS) {
        begin_ = start;
        return simdjson::SUCCESS;
      }
      // Closed by our own ']', the head of an event that the file's end cut off can pass for one.
      const bool cut_off = at_end_ && EventLength({buffer_.data() + start, cut - start}) == 0;
      begin_ = start;  // an event that breaks here is met again at the start of the next chunk
      if (cut_off || !visit_(event)) return simdjson::SUCCESS;
      ++walk_.events;
    }
    AfterArray(doc, cut);
    return simdjson::SUCCESS;
  }

  void AfterArray(document& doc, std::size_t cut) {
    const char* next = nullptr;
    const bool ended_inside = doc.current_location().get(next) == simdjson::SUCCESS;
    if (ended_inside && next <= buffer_.data() + cut) {
      begin_ = static_cast<std::size_t>(next - buffer_.data());
      walk_.complete = true;
    } else if (at_end_ && cut == end_) {
      // Our own ']' closed it: the file ends between two events.
      begin_ = end_;
    } else {
      begin_ = at_cut_ == ',' ? cut + 1 : cut;
    }
  }

  // Nothing of the chunk could be consumed: make room for a longer event, or skip what is broken.
  // False: give up.
  bool Advance() {
    const std::string_view text = Unread();
    if (ParseFirst()) return true;
    const std::size_t skip = NextEventStart(text);
    const bool more = skip == 0 || (text.size() < kPlausibleEvent && !HoldsEvent(text));
    if (!at_end_ && more && text.size() < kMaxEvent) {
      if (begin_ > 1) {
        Fill();
        return true;
      }
      buffer_.resize(buffer_.size() * 2);
      window_ = chunk_ = chunk_ * 2;
      return true;
    }
    window_ = 16;
    if (skip == 0 && at_end_) {
      ++walk_.lost["truncated"];
      walk_.lost["truncated-bytes"] += text.size();
      begin_ = end_;
      return false;
    }
    ++walk_.lost["malformed"];
    begin_ += skip == 0 ? text.size() : skip;
    return true;
  }

  // Where much is broken, an event's length is not worth a look at the whole buffer each time.
  static constexpr std::size_t kNear = std::size_t{64} << 10U;
  [[nodiscard]] bool MuchIsBroken() const {
    constexpr std::uint64_t kMuch = 1000;
    const auto it = walk_.lost.find("malformed");
    return it != walk_.lost.end() && it->second > kMuch;
  }

  // Is the first event whole, as far as braces tell?
  [[nodiscard]] bool HoldsEvent(std::string_view text) const {
    if (MuchIsBroken() && text.size() > kNear) return true;
    return EventLength(text) != 0;
  }

  void Finish() {
    std::string tail(Unread().substr(0, kMaxMetadata));
    while (walk_.complete && !at_end_ && tail.size() < kMaxMetadata) {
      begin_ = end_;
      Fill();
      tail.append(Unread());
    }
    walk_.metadata = JoinMetadata(walk_.metadata, walk_.complete ? tail : std::string());
    if (!walk_.complete && walk_.error.empty()) {
      walk_.error = Format(_("the file ends at byte {} before the end of its events"), walk_.bytes);
    }
  }

  ByteStream& stream_;
  const EventVisitor& visit_;
  std::size_t chunk_;
  std::size_t window_;  // bytes tried at once: small behind something broken, then growing again
  simdjson::ondemand::parser parser_;
  std::vector<char> buffer_;
  std::size_t begin_ = 1, end_ = 1;
  bool at_end_ = false;
  char at_cut_ = 0;  // what stood where the array was closed
  JsonWalk walk_;
};

}  // namespace

Result<JsonWalk> WalkJsonEvents(ByteStream& stream, const EventVisitor& visit, std::size_t chunk) {
  return Walker(stream, visit, chunk).Run();
}

}  // namespace gpuwhy::trace
