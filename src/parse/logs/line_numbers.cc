#include "parse/logs/line_numbers.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>

namespace gpuwhy {
namespace {

/// What a byte may be part of; a table, because every byte of a long log is asked about.
enum ByteClass : unsigned char {
  kDigit = 1,
  kLetter = 2,    ///< and the underscore
  kOfWord = 4,    ///< after the first letter of a word
  kGlue = 8,      ///< digits after it belong to a word: "mlx5", "Prec@1", "v0.25", UTF-8
  kKeyTail = 16,  ///< between a key and its number
  kKeyStop = 32,  ///< before a key
  kKeyTrim = 64,  ///< at the beginning of a key, and no part of it
};

constexpr std::array<unsigned char, 256> Classes() {
  std::array<unsigned char, 256> classes{};
  const auto add = [&](std::string_view bytes, ByteClass what) {
    for (const char c : bytes) classes[static_cast<unsigned char>(c)] |= what;
  };
  const auto add_range = [&](unsigned first, unsigned last, int what) {
    for (unsigned c = first; c <= last; ++c) classes[c] |= static_cast<unsigned char>(what);
  };
  add_range('0', '9', kDigit | kOfWord | kGlue);
  add_range('a', 'z', kLetter | kOfWord | kGlue);
  add_range('A', 'Z', kLetter | kOfWord | kGlue);
  add_range('_', '_', kLetter | kOfWord | kGlue);
  add_range(0x80, 0xff, kGlue);
  add(".@", kOfWord);
  add(".@", kGlue);
  add(" \t:=\"'[|]", kKeyTail);
  add(",|\t{};][\"'>", kKeyStop);
  add(" \t-:).%'#", kKeyTrim);
  return classes;
}
constexpr std::array<unsigned char, 256> kClasses = Classes();

constexpr bool Is(char c, unsigned char what) {
  return (kClasses[static_cast<unsigned char>(c)] & what) != 0;
}
constexpr bool IsDigit(char c) { return Is(c, kDigit); }
constexpr bool IsLetter(char c) { return Is(c, kLetter); }
constexpr bool GluesDigits(char c) { return Is(c, kGlue); }

/// "0.4318": digits with a point or none, few enough to be exact. The end; `first` where the text
/// is no such number or goes on as another one.
const char* SimpleNumber(const char* first, const char* last, double& value, bool& has_point) {
  constexpr std::array<double, 16> kTens = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const char* p = first;
  std::uint64_t digits = 0;
  while (p != last && IsDigit(*p)) digits = digits * 10 + static_cast<std::uint64_t>(*p++ - '0');
  std::size_t places = 0;
  auto count = static_cast<std::size_t>(p - first);
  if (count == 0 || count > 15) return first;
  if (p != last && *p == '.') {
    const char* point = ++p;
    while (p != last && IsDigit(*p) && count < 16) {
      digits = digits * 10 + static_cast<std::uint64_t>(*p++ - '0');
      ++count;
    }
    places = static_cast<std::size_t>(p - point);
    has_point = true;
  }
  const bool goes_on = p != last && (*p == 'e' || *p == 'E' || IsDigit(*p));
  if (count > 15 || goes_on) return first;
  value = static_cast<double>(digits) / kTens[places];
  return p;
}

class Scanner {
 public:
  Scanner(std::string_view line, std::vector<LineNumber>& numbers) : line_(line), out_(numbers) {}

  void Run() {
    while (at_ < line_.size() && out_.size() < kMostLineNumbers) {
      const char c = line_[at_];
      if (IsDigit(c)) {
        Digits();
      } else if (IsLetter(c)) {
        Word();
      } else {
        ++at_;
      }
    }
  }

 private:
  void Word() {
    const std::size_t begin = at_;
    while (at_ < line_.size() && Is(line_[at_], kOfWord)) ++at_;
    const std::string_view word = line_.substr(begin, at_ - begin);
    if (word.size() < 3 || word.size() > 8 || begin == 0) return;
    // Only after a separator: "Infinity" or "nan" inside prose is no value.
    const char c = word.front();
    if (c != 'n' && c != 'N' && c != 'i' && c != 'I') return;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    if (word == "nan" || word == "NaN" || word == "NAN") {
      Add(begin, at_, nan);
    } else if (word == "inf" || word == "Inf" || word == "Infinity") {
      Add(begin, at_, std::numeric_limits<double>::infinity());
    }
  }

  void Digits() {
    std::size_t begin = at_;
    if (begin > key_from_ && GluesDigits(line_[begin - 1]) && line_[begin - 1] != '.')
      return SkipGlued();
    if (begin > key_from_ && line_[begin - 1] == '.') {
      if (begin >= 2 && GluesDigits(line_[begin - 2])) return SkipGlued();
      --begin;
    }
    if (begin > key_from_ && (line_[begin - 1] == '-' || line_[begin - 1] == '+')) {
      // A minus after a word or digit is a dash: "2024-04", "rank-1".
      if (begin < 2 || !GluesDigits(line_[begin - 2]))
        --begin;
      else if (IsDigit(line_[begin - 2]) || IsLetter(line_[begin - 2]))
        return SkipGlued();
    }
    double value = 0;
    const std::size_t end = Number(begin, value);
    if (end == begin) return SkipGlued();
    if (end + 1 < line_.size() && line_[end] == ':' && IsDigit(line_[end + 1]) && !has_point_)
      return SkipClock();
    if (end < line_.size() && line_[end] == '-' && end + 1 < line_.size() &&
        IsDigit(line_[end + 1]) && !has_point_) {
      return SkipGlued();
    }
    Add(begin, end, value);
  }

  /// Passes over the rest of something that only looks like a number.
  void SkipGlued() {
    while (at_ < line_.size() &&
           (GluesDigits(line_[at_]) || line_[at_] == '-' || line_[at_] == ':'))
      ++at_;
  }
  void SkipClock() {
    while (at_ < line_.size() && (IsDigit(line_[at_]) || line_[at_] == ':' || line_[at_] == '.'))
      ++at_;
    key_from_ = at_;
  }

  /// The end of the number at begin. Commas are taken as thousands separators where exactly three
  /// digits follow each.
  std::size_t Number(std::size_t begin, double& value) {
    has_point_ = false;
    std::size_t whole = begin + (line_[begin] == '-' || line_[begin] == '+' ? 1 : 0);
    std::size_t end = whole;
    while (end < line_.size() && IsDigit(line_[end])) ++end;
    bool commas = false;
    while (end + 3 < line_.size() && end - whole <= 3 + (commas ? 60U : 0U) && line_[end] == ',' &&
           IsDigit(line_[end + 1]) && IsDigit(line_[end + 2]) && IsDigit(line_[end + 3]) &&
           (end + 4 == line_.size() || !IsDigit(line_[end + 4]))) {
      commas = true;
      end += 4;
    }
    if (commas) return WithCommas(whole, end, value);
    const char* first = line_.data() + (line_[begin] == '+' ? begin + 1 : begin);
    const char* last = line_.data() + line_.size();
    const char* stop = SimpleNumber(first, last, value, has_point_);
    if (stop == first && !AnyNumber(first, last, value, stop)) return begin;
    end = static_cast<std::size_t>(stop - line_.data());
    // A second point makes it a version or an address.
    if (end + 1 < line_.size() && line_[end] == '.' && IsDigit(line_[end + 1])) return begin;
    return end;
  }
  bool AnyNumber(const char* first, const char* last, double& value, const char*& stop) {
    const auto [end, ec] = std::from_chars(first, last, value);
    if (ec == std::errc::result_out_of_range)
      value = 0;
    else if (ec != std::errc{})
      return false;
    stop = end;
    has_point_ = false;
    for (const char* p = first; p != stop; ++p) has_point_ |= *p == '.' || *p == 'e' || *p == 'E';
    return true;
  }
  std::size_t WithCommas(std::size_t whole, std::size_t end, double& value) {
    value = 0;
    for (std::size_t i = whole; i < end; ++i) {
      if (IsDigit(line_[i])) value = value * 10 + (line_[i] - '0');
    }
    if (whole > 0 && line_[whole - 1] == '-') value = -value;
    return end;
  }

  void Add(std::size_t begin, std::size_t end, double value) {
    LineNumber number;
    number.value = value;
    number.key = Key(begin, number.in_parentheses);
    std::size_t at = end;
    at = OfTotal(at, number);
    const std::size_t blank = at;
    while (at < line_.size() && line_[at] == ' ' && at - blank < 2) ++at;
    std::size_t stop = at;
    while (stop < line_.size() && stop - at < 16 &&
           (IsLetter(line_[stop]) || line_[stop] == '/' || line_[stop] == '%')) {
      ++stop;
    }
    // After a blank only what ends like a unit: "0.63 step/s," but not "1.2 loss 3".
    const bool glued = at == blank;
    number.unit = line_.substr(at, stop - at);
    if (!glued && stop < line_.size() &&
        (line_[stop] == ':' || line_[stop] == '=' || line_[stop] == '.'))
      number.unit = {};
    out_.push_back(number);
    at_ = glued ? stop : blank;
    key_from_ = at_;
  }

  std::size_t OfTotal(std::size_t at, LineNumber& number) {
    std::size_t p = at;
    while (p < line_.size() && line_[p] == ' ' && p - at < 2) ++p;
    if (p >= line_.size() || line_[p] != '/') return at;
    ++p;
    while (p < line_.size() && line_[p] == ' ' && p - at < 16) ++p;
    if (p >= line_.size() || !IsDigit(line_[p])) return at;
    double total = 0;
    const auto [stop, ec] = std::from_chars(line_.data() + p, line_.data() + line_.size(), total);
    if (ec != std::errc{}) return at;
    number.of_total = total;
    return static_cast<std::size_t>(stop - line_.data());
  }

  [[nodiscard]] std::string_view Key(std::size_t begin, bool& in_parentheses) const {
    std::size_t end = begin;
    while (end > key_from_ && Is(line_[end - 1], kKeyTail)) --end;
    if (end > key_from_ && line_[end - 1] == '(') {
      in_parentheses = true;
      --end;
      while (end > key_from_ && Is(line_[end - 1], kKeyTail)) --end;
    }
    std::size_t from = end;
    constexpr std::size_t kLongest = 64;
    while (from > key_from_ && end - from < kLongest) {
      const char c = line_[from - 1];
      if (Is(c, kKeyStop)) break;
      // A lone dash and a run of blanks end a key.
      if (c == ' ' && from < end && (line_[from] == '-' || line_[from] == ' ')) break;
      --from;
    }
    while (from < end && Is(line_[from], kKeyTrim)) ++from;
    return line_.substr(from, end - from);
  }

  std::string_view line_;
  std::vector<LineNumber>& out_;
  std::size_t at_ = 0;
  std::size_t key_from_ = 0;  ///< end of the number before
  bool has_point_ = false;
};

/// Days since the epoch of "2024-04-23" or "2024/04/23" that ends at or before `end`.
std::optional<long> DayBefore(std::string_view line, std::size_t end) {
  for (std::size_t at = 0; at + 10 <= end; ++at) {
    const auto digits = [&](std::size_t from, std::size_t n, int& value) {
      value = 0;
      for (std::size_t i = 0; i < n; ++i) {
        if (!IsDigit(line[from + i])) return false;
        value = value * 10 + (line[from + i] - '0');
      }
      return true;
    };
    int year = 0;
    int month = 0;
    int day = 0;
    const char dash = line[at + 4];
    if ((dash != '-' && dash != '/') || line[at + 7] != dash) continue;
    if (!digits(at, 4, year) || !digits(at + 5, 2, month) || !digits(at + 8, 2, day)) continue;
    const std::chrono::year_month_day date{std::chrono::year(year),
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok()) return std::nullopt;
    return std::chrono::sys_days(date).time_since_epoch().count();
  }
  return std::nullopt;
}

}  // namespace

void FindLineNumbers(std::string_view line, std::vector<LineNumber>& numbers) {
  numbers.clear();
  Scanner(line, numbers).Run();
}

std::optional<LineStamp> FindLineStamp(std::string_view line) {
  constexpr std::size_t kWithin = 64;
  const std::string_view head = line.substr(0, kWithin);
  for (std::size_t at = 0; at + 8 <= head.size(); ++at) {
    const char* p = head.data() + at;
    if (!IsDigit(p[0]) || !IsDigit(p[1]) || p[2] != ':' || !IsDigit(p[3]) || !IsDigit(p[4]) ||
        p[5] != ':' || !IsDigit(p[6]) || !IsDigit(p[7])) {
      continue;
    }
    // A duration ("eta: 10:02:13", "runtime: 01:34:59") is no time of day.
    if (at > 0 && (IsDigit(head[at - 1]) || head[at - 1] == ':')) continue;
    if (at >= 2 && head[at - 2] == ':') return std::nullopt;
    LineStamp stamp;
    stamp.seconds = (p[0] - '0') * 36000 + (p[1] - '0') * 3600 + (p[3] - '0') * 600 +
                    (p[4] - '0') * 60 + (p[6] - '0') * 10 + (p[7] - '0');
    double scale = 0.1;
    std::size_t next = at + 8;
    if (next < head.size() && (head[next] == '.' || head[next] == ',')) {
      for (++next; next < head.size() && IsDigit(head[next]); ++next, scale /= 10) {
        stamp.seconds += scale * (head[next] - '0');
      }
    }
    stamp.day = DayBefore(head, at);
    return stamp;
  }
  return std::nullopt;
}

}  // namespace gpuwhy
