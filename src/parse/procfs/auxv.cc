#include "parse/procfs/auxv.h"

#include <elf.h>

#include <cstring>

namespace gpuwhy {
namespace {

// Values beyond this are not page sizes nor tick rates: the text is something else.
constexpr std::uint64_t kMaxValue = 1U << 30U;

Reading<std::uint32_t> Sane(std::uint64_t value) {
  if (value == 0 || value > kMaxValue) return Missing{Why::kFailed, "auxv"};
  return static_cast<std::uint32_t>(value);
}

}  // namespace

AuxiliaryVector ParseAuxv(std::string_view bytes) {
  AuxiliaryVector vector{Missing{Why::kNotPresent, "AT_PAGESZ"},
                         Missing{Why::kNotPresent, "AT_CLKTCK"}};
  Elf64_auxv_t entry{};
  while (bytes.size() >= sizeof(entry)) {
    std::memcpy(&entry, bytes.data(), sizeof(entry));
    bytes.remove_prefix(sizeof(entry));
    if (entry.a_type == AT_NULL) break;
    if (entry.a_type == AT_PAGESZ) vector.page_size = Sane(entry.a_un.a_val);
    if (entry.a_type == AT_CLKTCK) vector.ticks_per_second = Sane(entry.a_un.a_val);
  }
  return vector;
}

}  // namespace gpuwhy
