// Any bytes as the CPU files of a cgroup.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parse/procfs/pid_cgroup.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)gpuwhy::ParsePidCgroup(text);
  (void)gpuwhy::ParseCgroupCpuStat(text);
  (void)gpuwhy::ParseCpuMax(text);
  (void)gpuwhy::ParseCfsQuota(text, text);
  return 0;
}
