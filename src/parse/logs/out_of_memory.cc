#include "parse/logs/out_of_memory.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "parse/line_reader.h"
#include "parse/logs/number_series.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kMostMessages = 64;
constexpr std::size_t kMessage = 1200;  ///< bytes looked at after the first figure

std::optional<double> UnitBytes(std::string_view unit) {
  struct Row {
    std::string_view name;
    double bytes;
  };
  constexpr double kKi = 1024;
  constexpr std::array<Row, 12> kRows = {{{"bytes", 1},
                                          {"B", 1},
                                          {"KiB", kKi},
                                          {"MiB", kKi * kKi},
                                          {"GiB", kKi * kKi * kKi},
                                          {"TiB", kKi * kKi * kKi * kKi},
                                          {"KB", kKi},
                                          {"MB", kKi * kKi},
                                          {"GB", kKi * kKi * kKi},
                                          {"K", kKi},
                                          {"M", kKi * kKi},
                                          {"G", kKi * kKi * kKi}}};
  for (const Row& row : kRows) {
    if (unit == row.name) return row.bytes;
  }
  return std::nullopt;
}

struct Size {
  double bytes = 0;
  std::size_t end = 0;
};

std::optional<Size> SizeAt(std::string_view text, std::size_t at) {
  double number = 0;
  const auto [stop, ec] = std::from_chars(text.data() + at, text.data() + text.size(), number);
  if (ec != std::errc{} || number < 0) return std::nullopt;
  auto end = static_cast<std::size_t>(stop - text.data());
  while (end < text.size() && (text[end] == ' ' || text[end] == '\n' || text[end] == '\r')) ++end;
  std::size_t letters = end;
  while (letters < text.size() && ((text[letters] >= 'a' && text[letters] <= 'z') ||
                                   (text[letters] >= 'A' && text[letters] <= 'Z')))
    ++letters;
  const std::optional<double> unit = UnitBytes(text.substr(end, letters - end));
  if (!unit) return std::nullopt;
  return Size{number * *unit, letters};
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// Which figure of the message it is, by the words around it.
std::optional<double>* SlotOf(RefusedAllocation& one, std::string_view before,
                              std::string_view after) {
  const auto ends = [&](std::string_view words) { return before.ends_with(words); };
  const auto starts = [&](std::string_view words) { return after.starts_with(words); };
  if (ends("Tried to allocate") || ends("trying to allocate") || ends("of requesting") ||
      ends("Out of memory allocating"))
    return &one.request;
  if (starts("total capacity") || ends("total capacity of")) return &one.total;
  if (starts("already allocated")) return &one.allocated;
  if (starts("free")) return &one.free;
  if (starts("is free")) return &one.free;
  if (starts("reserved in total")) return &one.reserved;
  if (starts("cached"))
    return &one.unallocated;  // before 1.5: what the cache holds beside the allocated
  if (starts("memory in use") && ends("this process has")) return &one.in_process;
  if (starts("is allocated by PyTorch")) return &one.allocated;
  if (starts("is reserved by PyTorch but unallocated")) return &one.unallocated;
  return nullptr;
}

std::string_view TrimBlanks(std::string_view text) {
  const auto blank = [](char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ';' || c == ',' || c == ':';
  };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// "... is free. Process 4711 has": one of those that hold memory, maybe the speaker itself, whose
/// number inside of a container is another.
bool IsOfListedProcess(std::string_view before) {
  constexpr std::string_view kHas = " has";
  if (!before.ends_with(kHas)) return false;
  before.remove_suffix(kHas.size());
  const std::size_t digits = before.find_last_not_of("0123456789");
  return digits != std::string_view::npos && digits + 1 < before.size() &&
         before.substr(0, digits + 1).ends_with("Process ");
}

RefusedAllocation ReadMessage(std::string_view message) {
  RefusedAllocation one;
  std::size_t words = 0;
  for (std::size_t at = 0; at < message.size();) {
    if (!IsDigit(message[at]) || (at > 0 && (IsDigit(message[at - 1]) || message[at - 1] == '.'))) {
      ++at;
      continue;
    }
    const std::optional<Size> size = SizeAt(message, at);
    if (!size) {
      ++at;
      continue;
    }
    const std::string_view before = TrimBlanks(message.substr(words, at - words));
    const std::string_view after = TrimBlanks(message.substr(size->end, 64));
    if (after.starts_with("memory in use") && IsOfListedProcess(before))
      one.listed.push_back(size->bytes);
    std::optional<double>* slot = SlotOf(one, before, after);
    if (slot != nullptr && !*slot) *slot = size->bytes;
    at = words = size->end;
  }
  return one;
}

/// Where the message that speaks of the byte at `at` ends: at the next one, or after kMessage.
std::string_view MessageFrom(std::string_view text, std::size_t at) {
  std::string_view message = text.substr(at, kMessage);
  const std::size_t next = message.find("ried to allocate", 32);
  const std::size_t capacity = message.find("total capacity", 0);
  // A message without a request begins at its device.
  if (next != std::string_view::npos && (capacity == std::string_view::npos || capacity < next))
    message = message.substr(0, next);
  return message;
}

/// Messages without any figure: what was asked for is not known, that it was refused is.
std::vector<RefusedAllocation> WithoutFigures(std::string_view text) {
  constexpr std::array<std::string_view, 7> kWords = {"OOM when allocating tensor",
                                                      "error (2) : out of memory",
                                                      "CUDA error: out of memory",
                                                      "cudaMalloc failed: out of memory",
                                                      "cudaErrorMemoryAllocation: out of memory",
                                                      "CUBLAS_STATUS_ALLOC_FAILED",
                                                      "CUDNN_STATUS_ALLOC_FAILED"};
  std::vector<RefusedAllocation> found;
  LineReader lines(text);
  while (lines.Next() && found.size() < kMostMessages) {
    for (const std::string_view words : kWords) {
      if (lines.Line().find(words) == std::string_view::npos) continue;
      RefusedAllocation one;
      one.quote = Quote(lines.Number(), lines.Line());
      found.push_back(std::move(one));
      break;
    }
  }
  return found;
}

}  // namespace

std::vector<RefusedAllocation> FindRefusedAllocations(std::string_view text) {
  constexpr std::array<std::string_view, 6> kBegins = {
      "Tried to allocate", "rying to allocate", "Out of memory allocating",
      "total capacity of", " total capacity;",  "total capacity "};
  std::vector<RefusedAllocation> found;
  std::size_t at = 0;
  std::size_t counted = 0;
  std::uint32_t number = 1;
  while (at < text.size() && found.size() < kMostMessages) {
    std::size_t begin = std::string_view::npos;
    for (const std::string_view words : kBegins) begin = std::min(begin, text.find(words, at));
    if (begin == std::string_view::npos) break;
    const std::size_t line = begin == 0 ? 0 : text.rfind('\n', begin - 1) + 1;
    // From the start of the line, or of the words where the line is very long.
    const std::size_t from = begin - line > 200 && text.compare(begin, 5, "Tried") == 0
                                 ? begin
                                 : std::max(line, begin > 400 ? begin - 400 : 0);
    const std::string_view message = MessageFrom(text, std::max(from, at));
    RefusedAllocation one = ReadMessage(message);
    // TensorFlow and JAX try smaller pieces next, and say so; memory of the host is no GPU's.
    const bool harmless = message.find("this is not a failure") != std::string_view::npos ||
                          message.find("DefaultCPUAllocator") != std::string_view::npos;
    number += static_cast<std::uint32_t>(
        std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                   text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
    counted = begin;
    std::string flat(message.substr(0, 480));
    std::replace(flat.begin(), flat.end(), '\n', ' ');
    std::replace(flat.begin(), flat.end(), '\r', ' ');
    one.quote = Quote(number, flat);
    if (!harmless && (one.request || (one.total && (one.free || one.allocated))))
      found.push_back(std::move(one));
    at = std::max(begin + 1, std::max(from, at) + message.size());
  }
  return found.empty() ? WithoutFigures(text) : found;
}

}  // namespace gpuwhy
