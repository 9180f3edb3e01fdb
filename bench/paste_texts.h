// Texts to measure the readers of pasted outputs with; made up, the same in every run.
#pragma once

#include <cstddef>
#include <string>

namespace gpuwhy {

/// A log of a detection framework's layout: one line a step, its step time, data time and losses.
[[nodiscard]] std::string TrainingLogText(std::size_t bytes);
/// Lines of letters and digits that mean nothing.
[[nodiscard]] std::string NoiseText(std::size_t bytes);
/// nvidia-smi -q of so many devices.
[[nodiscard]] std::string SmiQueryText(std::size_t devices);

}  // namespace gpuwhy
