#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parse/procfs/mountinfo.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)gpuwhy::HideSecretOptions(text);
  (void)gpuwhy::HideSecretsOfSource(text);
  const gpuwhy::Result<gpuwhy::Mountinfo> info = gpuwhy::ParseMountinfo(text);
  if (!info) return 0;
  // Nothing can grow: names are made of parts of the text.
  std::size_t length = 0;
  for (const gpuwhy::MountLine& line : info->mounts) {
    length += line.mount_point.size() + line.source.size() + line.super_options.size();
  }
  if (length > size) __builtin_trap();
  return 0;
}
