// Policies come from people: any bytes give a policy within its ranges or an error with its place.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "diagnose/policy.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 65536) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const gpuwhy::Result<gpuwhy::Policy> policy = gpuwhy::ParsePolicy(text, "fuzz.toml");
  if (policy) {
    const double cost = policy->ranking.min_cost;
    if (!(cost >= 0 && cost <= 1)) std::abort();
  } else if (policy.error().where.rfind("fuzz.toml:", 0) != 0) {
    std::abort();
  }
  return 0;
}
