// The columns of block devices in every layout of iostat since sysstat 9, as text and as JSON.
// Their order does not matter.
#pragma once

#include <array>

#include "parse/host/host_table.h"

namespace gpuwhy {

inline constexpr std::array<HostColumn, 23> kBlockColumns = {
    {{"r/s", HostField::kReadOps},
     {"w/s", HostField::kWriteOps},
     {"tps", HostField::kOps},
     {"rsec/s", HostField::kReadRate, 512},
     {"wsec/s", HostField::kWriteRate, 512},
     {"Blk_read/s", HostField::kReadRate, 512},
     {"Blk_wrtn/s", HostField::kWriteRate, 512},
     {"rkB/s", HostField::kReadRate, kKibi},
     {"wkB/s", HostField::kWriteRate, kKibi},
     {"rMB/s", HostField::kReadRate, kMebi},
     {"wMB/s", HostField::kWriteRate, kMebi},
     {"kB_read/s", HostField::kReadRate, kKibi},
     {"kB_wrtn/s", HostField::kWriteRate, kKibi},
     {"MB_read/s", HostField::kReadRate, kMebi},
     {"MB_wrtn/s", HostField::kWriteRate, kMebi},
     {"r_await", HostField::kReadAwait, kMilliseconds},
     {"w_await", HostField::kWriteAwait, kMilliseconds},
     {"await", HostField::kAwait, kMilliseconds},
     {"aqu-sz", HostField::kQueue},
     {"avgqu-sz", HostField::kQueue},
     {"kB/s", HostField::kRate, kKibi},
     {"%util", HostField::kBusy, kPercent},
     {"util", HostField::kBusy, kPercent}}};

}  // namespace gpuwhy
