// Keeps a long series of looks at GPUs within bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "capture/pasted.h"

namespace gpuwhy {

/// Of a series that gets too long every second look at each GPU is left out, again where it goes
/// on: what stays is spread evenly over the whole time, and each GPU is left with its share. The
/// first look at a GPU of each tool always stays.
class LookThinner {
 public:
  /// looks before `first` belong to other texts. most: how many may stay.
  LookThinner(std::size_t first, std::size_t most) : first_(first), most_(most) {}
  /// To be called after looks were appended.
  void Thin(std::vector<GpuLook>& looks);
  /// One look in so many stayed.
  [[nodiscard]] std::uint64_t Stride() const { return stride_; }

 private:
  using Counts = std::map<std::string, std::uint64_t>;
  void Keep(std::vector<GpuLook>& looks, std::size_t from, std::uint64_t every, Counts& seen) const;

  std::size_t first_, most_;
  std::size_t done_ = 0;  ///< looks of this text that were thinned already
  std::uint64_t stride_ = 1;
  Counts seen_;  ///< by tool and GPU
};

}  // namespace gpuwhy
