// What a node is made of, as its files tell it. Not in recordings: they hold the files' texts
// (FileText), and this is read from them again.
#pragma once

#include <string>
#include <vector>

#include "base/reading.h"

namespace gpuwhy {

/// The link registers of one function: of the link above it, or for a port of a bridge below it.
struct PciHop {
  std::string address;
  Reading<double> speed_now, speed_able;  ///< GT/s
  Reading<double> width_now, width_able;
  friend bool operator==(const PciHop&, const PciHop&) = default;
};

struct PciFunction {
  std::string address;
  std::string path;  ///< its folder
  bool gpu = false, network = false, nvidia = false;
  std::string driver;  ///< empty: none is bound to it
  Reading<double> numa_node;
  Reading<double> corrected, uncorrected;  ///< errors since boot
  /// A second, between the first and the last look; missing where those are too close.
  Reading<double> corrected_rate;
  std::vector<PciHop> way;  ///< the function itself first, the root port last
  friend bool operator==(const PciFunction&, const PciFunction&) = default;
};

/// A file whose content is a fact by itself.
struct Setting {
  std::string path, value;
  friend bool operator==(const Setting&, const Setting&) = default;
};

struct Inventory {
  std::vector<PciFunction> functions;
  std::vector<Setting> settings;
  friend bool operator==(const Inventory&, const Inventory&) = default;
};

}  // namespace gpuwhy
