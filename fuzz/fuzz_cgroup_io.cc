#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parse/procfs/cgroup_io.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  gpuwhy::CgroupIoByDevice devices;
  gpuwhy::ParseIoMax(text, devices);
  gpuwhy::ParseIoStat(text, devices);
  for (const gpuwhy::BlkioFile file :
       {gpuwhy::BlkioFile::kReadOpsLimit, gpuwhy::BlkioFile::kReadBytesLimit,
        gpuwhy::BlkioFile::kServiced, gpuwhy::BlkioFile::kServiceBytes}) {
    gpuwhy::ParseBlkio(file, text, devices);
  }
  return 0;
}
