// What pasted logs and outputs of host tools say, raw: each value with the file and line.
#pragma once

namespace gpuwhy {

struct PastedLogs {
  friend bool operator==(const PastedLogs&, const PastedLogs&) = default;
};

}  // namespace gpuwhy
