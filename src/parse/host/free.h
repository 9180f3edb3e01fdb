// What free prints, in whatever unit it was asked for.
#pragma once

#include <optional>
#include <string_view>

#include "parse/host/host_table.h"

namespace gpuwhy {

/// The names that free prints above its rows.
[[nodiscard]] bool IsFreeHeader(const Cells& cells);

/// One row ("Mem:", "Swap:"), bytes.
struct FreeRow {
  std::optional<double> total, used, free, available;
};
/// names: of the header; empty where only the rows were kept, as by grep, whose columns are then
/// those that free has printed since procps 3.3.10. unit: bytes of a figure without a letter.
[[nodiscard]] FreeRow ReadFreeRow(const Cells& names, const Cells& cells, double unit);

/// free names no unit where it was asked for one (-b, -k, -m, -g): the smallest one by which the
/// host has 4 GiB. Wrong on hosts with less, and on those with more than 4 TiB and -m.
[[nodiscard]] double UnitOfFree(std::string_view total);

}  // namespace gpuwhy
